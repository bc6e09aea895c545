-- Fact: how far a call has come, as the program said.  A worker records the first reports of a call and then fewer and fewer.
create table queues.task_progress (
    task_id      bigint not null,
    lease_no     integer not null,
    reported_at  timestamptz not null,
    progress     jsonb not null,
    constraint task_progress_pkey primary key (task_id, lease_no, reported_at)
);
comment on table queues.task_progress is 'Reports of progress of tasks that a program carries out.';
comment on column queues.task_progress.progress is 'Any JSON value of the program, at most 16 KiB.';
