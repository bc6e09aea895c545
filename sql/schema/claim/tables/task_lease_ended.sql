-- Fact: a lease ended without completing its task.  (A completion ends its own lease.)
create table queues.task_lease_ended (
    task_id        bigint not null,
    lease_no       integer not null,
    ended_at       timestamptz not null,
    how            text not null,
    retry_at       timestamptz not null,
    outcome        text,
    result         jsonb,
    error_message  text,
    constraint task_lease_ended_pkey primary key (task_id, lease_no)
);
comment on table queues.task_lease_ended is 'Leases that ended without completing their task.';
comment on column queues.task_lease_ended.how is
    'released, retry, handler_failed, waiting, expired or abandoned.';
comment on column queues.task_lease_ended.retry_at is 'Time of the task in queues.ready afterwards; infinity while it waits.';
comment on column queues.task_lease_ended.outcome is 'Outcome that is already known; only the handler is missing.';
comment on column queues.task_lease_ended.result is 'Result that is already known.';
