-- Fact: a person asked to cancel a running task.
create table queues.task_cancel_requested (
    task_id       bigint not null,
    requested_at  timestamptz not null,
    requested_by  text not null,
    reason        text,
    constraint task_cancel_requested_pkey primary key (task_id)
);
comment on table queues.task_cancel_requested is 'Requests to cancel, respected at the next step of the task.';
