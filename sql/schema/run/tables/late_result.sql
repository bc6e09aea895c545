-- Fact: what a superseded lease knew.  Evidence, never truth.
create table queues.late_result (
    task_id        bigint not null,
    lease_no       integer not null,
    received_at    timestamptz not null,
    outcome        text not null,
    result         jsonb,
    error_message  text,
    constraint late_result_pkey primary key (task_id, lease_no)
);
comment on table queues.late_result is 'Results that came from leases which were no longer the newest.';
