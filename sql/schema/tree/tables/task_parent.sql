-- Fact: this task has children, and their mode.  The first spawn writes it.  A session that ends a child, adds one or ends the
-- parent locks this row first, so none of them can miss another.  A run never holds this row.
create table worker.task_parent (
    task_id     bigint not null,
    child_mode  worker.child_mode not null,
    created_at  timestamptz not null,
    constraint task_parent_pkey primary key (task_id)
);
comment on table worker.task_parent is 'Tasks that have children.';
comment on column worker.task_parent.child_mode is 'concurrent or serial.';
