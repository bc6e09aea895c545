-- Fact: the result of a superseded lease.  It is kept as evidence and changes nothing.
create table queues.late_result (
    task_id        bigint not null,
    lease_no       integer not null,
    received_at    timestamptz not null,
    outcome        text not null,
    result         jsonb,
    error_message  text,
    constraint late_result_pkey primary key (task_id, lease_no)
);
comment on table queues.late_result is 'Results of leases that were no longer the newest.';
