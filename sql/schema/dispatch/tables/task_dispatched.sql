-- Fact: from now on an outside effect may have happened.
create table queues.task_dispatched (
    task_id          bigint not null,
    lease_no         integer not null,
    dispatched_at    timestamptz not null,
    adapter          text not null,
    idempotency_key  text not null,
    constraint task_dispatched_pkey primary key (task_id, lease_no)
);
comment on table queues.task_dispatched is 'Announced sends. Each row is committed before the first byte is sent.';
comment on column queues.task_dispatched.idempotency_key is 'The same for every lease of the task.';
