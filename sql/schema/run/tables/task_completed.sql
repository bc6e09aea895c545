-- Fact: the one end of a task.  There is no check and no foreign key: this is the hottest insert, and only engine functions write
-- it.
create table queues.task_completed (
    task_id       bigint not null,
    completed_at  timestamptz not null,
    outcome       text not null,
    status        text,
    lease_no      integer,
    started_at    timestamptz,
    result        jsonb,
    completed_by  text,
    constraint task_completed_pkey primary key (task_id)
);
-- Unsuccessful ends, without reading the successes.
create index task_completed_failed_idx on queues.task_completed (task_id)
    where outcome in ('failed', 'cancelled', 'quarantined', 'in_doubt');
-- The completions of a minute (internal.roll_up).  Rows come in the order of time, so an index over ranges of pages will do.
create index task_completed_at_idx on queues.task_completed using brin (completed_at) with (autosummarize = on);
-- Ends that need a person (queues.metrics).
create index task_completed_unresolved_idx on queues.task_completed (outcome, task_id) where outcome in ('in_doubt', 'quarantined');
comment on table queues.task_completed is 'The end of each task; at most one row per task.';
comment on column queues.task_completed.outcome is
    'succeeded, non_success, failed, cancelled, quarantined, superseded or in_doubt.';
comment on column queues.task_completed.status is 'Status of the envelope; null: the same word as the outcome.';
comment on column queues.task_completed.lease_no is 'Lease that ended the task; null: none did.';
comment on column queues.task_completed.started_at is 'Start of the run that ended the task.';
comment on column queues.task_completed.result is 'Result of the run or of the provider.';
comment on column queues.task_completed.completed_by is 'Login that ended the task; null: the holder of the lease.';
