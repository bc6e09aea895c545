-- Fact: a holder was given a task until a time.  lease_no is the fencing token.
create table queues.task_lease (
    task_lease_id  bigint generated always as identity,
    task_id        bigint not null,
    leased_at      timestamptz not null,
    expires_at     timestamptz not null,
    lease_no       integer not null,
    holder_id      integer not null,
    payload        jsonb,
    constraint task_lease_pkey primary key (task_id, lease_no)
);
-- The leases of a minute (internal.roll_up).
create index task_lease_at_idx on queues.task_lease using brin (leased_at) with (autosummarize = on);
comment on table queues.task_lease is 'Every lease of every task. queues.task_state shows whether a task is leased now.';
comment on column queues.task_lease.expires_at is 'End of the lease when it was given; renewals are in queues.task_lease_renewed.';
comment on column queues.task_lease.lease_no is '1, 2, 3 ... per task.';
comment on column queues.task_lease.holder_id is 'The holder of the lease: queues.holder.';
comment on column queues.task_lease.payload is 'The payload of this lease, if duplicates had been merged in; otherwise null.';
