-- Fact: a lease was extended.
create table queues.task_lease_renewed (
    task_id     bigint not null,
    lease_no    integer not null,
    renewed_at  timestamptz not null,
    expires_at  timestamptz not null
);
create index task_lease_renewed_task_idx on queues.task_lease_renewed (task_id, lease_no);
comment on table queues.task_lease_renewed is 'Renewals of leases.';
