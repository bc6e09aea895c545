-- Working set: one row per leased task.  expires_at has no index, so a renewal is a HOT update; the room left in each page
-- (fillfactor) is for renewals.
create table queues.running (
    task_id           bigint not null,
    lease_no          integer not null,
    holder_id         integer not null,
    queue_id          integer not null,
    priority          bigint not null,
    leased_at         timestamptz not null,
    expires_at        timestamptz not null,
    type_id           smallint not null,
    is_limited        boolean,
    phase             "char",
    crash_count       smallint,
    retry_count       smallint,
    handler_failures  smallint,
    max_crashes       smallint,
    is_supervisor_run           boolean,
    process_id        bigint,
    parent_id         bigint,
    timeout           interval,
    destination       text,
    payload           jsonb,
    is_retry          boolean,
    renewed_at        timestamptz,
    constraint running_pkey primary key (task_id)
) with (
    fillfactor = 80,
    autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.5
);
create index running_limited_idx on queues.running (queue_id) where is_limited;
create index running_process_idx on queues.running (process_id) where process_id is not null;
create index running_parent_idx on queues.running (parent_id, task_id) where parent_id is not null;
comment on table queues.running is 'Working set: leased tasks. Can be rebuilt from the facts.';
comment on column queues.running.lease_no is 'The newest lease: the fencing token.';
comment on column queues.running.holder_id is 'The holder of the lease: queues.holder.';
comment on column queues.running.expires_at is 'End of the lease; a renewal moves it.';
comment on column queues.running.is_limited is 'True: its queue has a limit, so the task is counted.';
comment on column queues.running.phase is 'h: only its handler is left to run. Otherwise null.';
comment on column queues.running.is_retry is 'As in queues.ready.';
comment on column queues.running.renewed_at is 'Time of the last renewal; null: never renewed, the lease counts from leased_at.';
