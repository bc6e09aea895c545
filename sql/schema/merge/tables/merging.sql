-- Working set, third part: payloads that were merged into a waiting task and that no run has taken yet.  Enqueuers only insert
-- here.  The row of the waiting task is neither locked nor changed, so no enqueuer waits for another, and an open transaction delays
-- nobody.  The run of the task takes all rows that are committed when it begins.  A claim gives later ones a new task
-- (internal.rehome_merges).  A row that was taken is kept as a fact in queues.task_changed.
create table queues.merging (
    task_id       bigint not null,
    merge_id      bigint generated always as identity,
    payload       jsonb not null,
    available_at  timestamptz not null,
    priority      bigint not null,
    is_urgent     boolean,
    merged_at     timestamptz not null,
    merged_by     text not null,
    constraint merging_pkey primary key (task_id, merge_id)
) with (
    autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.5
);
create index merging_urgent_idx on queues.merging (task_id) where is_urgent;
comment on table queues.merging is 'Payloads merged into waiting tasks that no run has taken yet.';
comment on column queues.merging.payload is 'The whole payload that was enqueued: it may become a task of its own.';
comment on column queues.merging.available_at is 'Earliest time of its run.';
comment on column queues.merging.is_urgent is 'True: earlier or more urgent than the waiting task, which the next claim moves. Otherwise null.';
comment on column queues.merging.merged_by is 'Login that enqueued it.';
