-- Fact: this task has children, and how they run.  Written by the first spawn.  Whoever ends
-- a child, adds one or ends the parent locks this row first, so none of them can miss
-- another; it is never the row that a run holds.
create table worker.task_parent (
    task_id     bigint not null,
    child_mode  worker.child_mode not null,
    created_at  timestamptz not null,
    constraint task_parent_pkey primary key (task_id)
);
comment on table worker.task_parent is 'Tasks that have children.';
comment on column worker.task_parent.child_mode is 'Whether the children run side by side or one after the other.';
