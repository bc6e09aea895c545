-- Working set: one row per waiting task.  The table is narrow on purpose, and its primary key is the order of claims.  A row is
-- found by that key, which follows from the facts (internal.ready_key); there is no index on task_id.
create table queues.ready (
    queue_id          integer not null,
    priority          bigint not null,
    available_at      timestamptz not null,
    task_id           bigint not null,
    type_id           smallint not null,
    lease_no          integer not null default 0,
    phase             "char",
    crash_count       smallint,
    retry_count       smallint,
    handler_failures  smallint,
    max_crashes       smallint,
    is_supervisor_run           boolean,
    process_id        bigint,
    parent_id         bigint,
    timeout           interval,
    dedup_key         text,
    destination       text,
    payload           jsonb,
    is_retry          boolean,
    constraint ready_pkey primary key (queue_id, priority, available_at, task_id)
) with (
    autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.5
);
-- The slot of a dedup key: only tasks that were never claimed hold it.
create unique index ready_dedup_idx on queues.ready (queue_id, dedup_key)
    where dedup_key is not null and lease_no = 0;
create index ready_process_idx on queues.ready (process_id) where process_id is not null;
-- Descending: children are claimed from the front, so the remaining rows are at the end.
create index ready_parent_idx on queues.ready (parent_id, task_id) where parent_id is not null;
-- Tasks that have begun: handler-pending and waiting rows count against the top-level limit of their queue, and interrupted ones
-- go before new ones there.
create index ready_begun_idx on queues.ready (queue_id) where lease_no > 0;
comment on table queues.ready is 'Working set: waiting tasks. Can be rebuilt from the facts.';
comment on column queues.ready.available_at is 'Earliest time of a claim; infinity while the task waits for children or is blocked.';
comment on column queues.ready.lease_no is 'Number of its last lease; 0: never claimed.';
comment on column queues.ready.phase is
    'null: ready. h: result known, only its handler is left to run. w: waits for children. b: blocked behind a sibling.';
comment on column queues.ready.crash_count is 'Leases that ran out or were abandoned; null: none.';
comment on column queues.ready.retry_count is 'Leases ended by a passing error; null: none.';
comment on column queues.ready.handler_failures is 'Times its handler failed; null: none.';
comment on column queues.ready.max_crashes is 'Leases that may die before quarantine; null: as its type.';
comment on column queues.ready.timeout is 'Longest time of one run; null: as its type.';
comment on column queues.ready.destination is 'Peer of a call: host and port, /channel for the provider of a worker, / for edge functions. Null: none, or not known yet.';
comment on column queues.ready.payload is 'Merged payload; null: nothing was merged in.';
comment on column queues.ready.is_retry is 'True: a run of a job that has failed before. Otherwise null.';
