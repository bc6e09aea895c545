-- 0001_engine: the first schema: facts, working set, registry.
-- Locks: only new objects; nothing waits for it.
-- Types of the engine.

-- The form of a task type.  Which types exist is a row of
-- queues.registered_task_type, so users can add their own.
create domain queues.task_type as text
    constraint task_type_form check (value ~ '^[a-z][a-z0-9_]{0,62}$');
comment on domain queues.task_type is
    'Form of a task type name; the members are rows of queues.registered_task_type.';
-- Which schema changes have been applied.  Its presence marks the schema as ours.
create table queues.migration (
    version     integer not null,
    name        text not null,
    checksum    text not null,
    applied_at  timestamptz not null default clock_timestamp(),
    constraint migration_pkey primary key (version)
);
comment on table queues.migration is 'Applied schema changes; the highest version is the version of the schema.';
comment on column queues.migration.version is 'Number of the change; 1, 2, 3 ...';
comment on column queues.migration.name is 'File name of the change, without its ending.';
comment on column queues.migration.checksum is 'SHA-256 of the file; a change that was applied never changes.';
comment on column queues.migration.applied_at is 'When it was applied.';
-- The task types that exist, and how each is carried out.
create table queues.registered_task_type (
    task_type        queues.task_type not null,
    type_id          smallint generated always as identity,
    adapter          text not null,
    default_queue    text not null,
    before_required  boolean not null default false,
    timeout          interval,
    max_crashes      smallint not null default 5,
    on_in_doubt      text not null default 'retry',
    description      text,
    constraint registered_task_type_pkey primary key (task_type),
    constraint registered_task_type_type_id_key unique (type_id),
    constraint adapter_is_known check (adapter in
        ('function', 'command', 'job_func', 'email', 'sms', 'file_delete', 'http')),
    constraint max_crashes_in_range check (max_crashes between 1 and 1000),
    constraint on_in_doubt_is_known check (on_in_doubt in ('retry', 'fail'))
);
comment on table queues.registered_task_type is 'Task types and how each is carried out.';
comment on column queues.registered_task_type.type_id is 'Number used for the type in the working tables.';
comment on column queues.registered_task_type.adapter is
    'How: function, command, job_func (inside PostgreSQL), or email, sms, file_delete, http (a channel).';
comment on column queues.registered_task_type.default_queue is 'Queue of a task that names none.';
comment on column queues.registered_task_type.before_required is 'A task without before_handler fails.';
comment on column queues.registered_task_type.timeout is 'How long one run may take; null: no limit.';
comment on column queues.registered_task_type.max_crashes is 'Leases that may die before the task is quarantined.';
comment on column queues.registered_task_type.on_in_doubt is
    'What follows a dispatch without a result: retry (send again with the same key) or fail.';
-- Named queues with their limits.  Not a hot table: it changes when a person acts.
create table queues.queue (
    queue            text not null,
    queue_id         integer generated always as identity,
    description      text,
    max_running      integer default 1,
    top_level_limit  integer default 1,
    paused_until     timestamptz,
    created_at       timestamptz not null default clock_timestamp(),
    constraint queue_pkey primary key (queue),
    constraint queue_queue_id_key unique (queue_id),
    constraint queue_form check (queue ~ '^[a-z][a-z0-9_.-]{0,62}$'),
    constraint max_running_positive check (max_running >= 1),
    constraint top_level_limit_positive check (top_level_limit >= 1)
);
comment on table queues.queue is 'Named queues and their limits.';
comment on column queues.queue.queue_id is 'Number used for the queue in the working tables.';
comment on column queues.queue.max_running is 'Tasks of this queue that may run at once, over all workers; null: no limit.';
comment on column queues.queue.top_level_limit is
    'Tasks without a parent that may be running, handler-pending or waiting at once; null: no limit.';
comment on column queues.queue.paused_until is 'Not claimed before this time; infinity: until resumed.';
-- One row per unit of work, inserted by queues.enqueue and never changed.
-- Columns after scheduled_at are null where the default of the type holds:
-- a null costs one bit, and most tasks need none of them.
create table queues.task (
    task_id          bigint generated always as identity,
    task_type        queues.task_type not null,
    payload          jsonb not null,
    enqueued_at      timestamptz not null default now(),
    scheduled_at     timestamptz not null default now(),
    queue            text not null,
    priority         bigint not null default 0,
    task_uuid        uuid,
    max_crashes      smallint,
    timeout          interval,
    on_in_doubt      text,
    idempotency_key  text,
    dedup_key        text,
    origin_task_id   bigint,
    process_id       bigint,
    is_tick          boolean,
    parent_id        bigint,
    depth            integer,
    retry_of         bigint,
    constraint task_pkey primary key (task_id),
    constraint scheduled_at_is_finite check (isfinite(scheduled_at))
);
-- Retention and the story of a process read the tasks of one process.
create index task_process_idx on queues.task (process_id, task_id) where process_id is not null;
-- The tree of a parent, for retention and for its own story.
create index task_parent_idx on queues.task (parent_id, task_id) where parent_id is not null;
comment on table queues.task is 'Every unit of work, as it was enqueued. Rows are never changed.';
comment on column queues.task.task_type is 'What kind of work; a row of queues.registered_task_type.';
comment on column queues.task.payload is 'The work, a JSON object. A merge may hand out another one: see queues.task_lease.payload.';
comment on column queues.task.enqueued_at is 'Start of the transaction that enqueued it.';
comment on column queues.task.scheduled_at is 'Not started before this time.';
comment on column queues.task.queue is 'Name of its queue.';
comment on column queues.task.priority is 'Smaller first.';
comment on column queues.task.task_uuid is 'Random name for the outside, of channel tasks; null for database work.';
comment on column queues.task.max_crashes is 'Leases that may die before quarantine; null: as its type.';
comment on column queues.task.timeout is 'How long one run may take; null: as its type.';
comment on column queues.task.on_in_doubt is 'retry or fail; null: as its type.';
comment on column queues.task.idempotency_key is 'Key of the logical send, if the enqueuer gave one.';
comment on column queues.task.dedup_key is 'Key under which a waiting duplicate was looked for.';
comment on column queues.task.origin_task_id is 'Task whose run enqueued this one.';
comment on column queues.task.process_id is 'Supervised process it belongs to.';
comment on column queues.task.is_tick is 'True: it is a run of the supervisor itself.';
comment on column queues.task.parent_id is 'Task that waits for this one.';
comment on column queues.task.depth is 'Distance from the top of its tree; null: 0.';
comment on column queues.task.retry_of is 'Completed task that an operator asked to do again.';
-- Working set: one row per task that waits.  Narrow on purpose, with one index:
-- its primary key is the order of claims.  A row is found by that key, which
-- follows from the facts (internal.ready_key); there is no index on task_id.
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
    is_tick           boolean,
    process_id        bigint,
    parent_id         bigint,
    timeout           interval,
    dedup_key         text,
    destination       text,
    payload           jsonb,
    constraint ready_pkey primary key (queue_id, priority, available_at, task_id)
) with (
    autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.5
);
-- The slot of a duplicate: only tasks that were never claimed hold it.
create unique index ready_dedup_idx on queues.ready (queue_id, dedup_key)
    where dedup_key is not null and lease_no = 0;
create index ready_process_idx on queues.ready (process_id) where process_id is not null;
create index ready_parent_idx on queues.ready (parent_id) where parent_id is not null;
-- What was begun: handler-pending and waiting rows count against the top-level limit of
-- their queue, and interrupted ones go before new ones there.
create index ready_begun_idx on queues.ready (queue_id) where lease_no > 0;
comment on table queues.ready is 'Working set: tasks that wait. Can be rebuilt from the facts.';
comment on column queues.ready.available_at is 'May be claimed from this time on; infinity while waiting or blocked.';
comment on column queues.ready.lease_no is 'Number of its last lease; 0: never claimed.';
comment on column queues.ready.phase is
    'null: ready. h: result known, handler to be run. w: waits for children. b: blocked behind a sibling.';
comment on column queues.ready.crash_count is 'Leases that ran out or were abandoned; null: none.';
comment on column queues.ready.retry_count is 'Leases ended by a passing error; null: none.';
comment on column queues.ready.handler_failures is 'Times its handler failed; null: none.';
comment on column queues.ready.max_crashes is 'Null: as its type.';
comment on column queues.ready.timeout is 'Null: as its type.';
comment on column queues.ready.destination is 'Host of an HTTP job, so that closed hosts can be passed over.';
comment on column queues.ready.payload is 'Merged payload, if a duplicate was merged in.';
-- Working set: one row per leased task.  expires_at has no index, so a renewal is
-- a HOT update; the room left in each page (fillfactor) is for these.
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
    is_tick           boolean,
    process_id        bigint,
    parent_id         bigint,
    timeout           interval,
    destination       text,
    payload           jsonb,
    constraint running_pkey primary key (task_id)
) with (
    fillfactor = 80,
    autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.5
);
create index running_limited_idx on queues.running (queue_id) where is_limited;
create index running_process_idx on queues.running (process_id) where process_id is not null;
create index running_parent_idx on queues.running (parent_id) where parent_id is not null;
comment on table queues.running is 'Working set: leased tasks. Can be rebuilt from the facts.';
comment on column queues.running.lease_no is 'The newest lease: the fencing token.';
comment on column queues.running.holder_id is 'Who holds it: queues.holder.';
comment on column queues.running.expires_at is 'End of the lease, moved by renewals.';
comment on column queues.running.is_limited is 'True: its queue has a limit, so it is counted.';
comment on column queues.running.phase is 'h: only its handler is to be run. Else null.';
-- Who takes leases: a worker (or a client without one) on one backend.  A lease
-- stores one number instead of five columns.
create table queues.holder (
    holder_id      integer generated always as identity,
    worker_id      uuid,
    leased_by      name not null,
    backend_pid    integer not null,
    backend_start  timestamptz,
    created_at     timestamptz not null default clock_timestamp(),
    constraint holder_pkey primary key (holder_id)
);
create index holder_backend_idx on queues.holder (backend_pid, worker_id, holder_id);
comment on table queues.holder is 'Sessions that took leases.';
comment on column queues.holder.worker_id is 'The worker; null: a SQL client that dequeued.';
comment on column queues.holder.leased_by is 'Login role of the session.';
comment on column queues.holder.backend_start is 'With the pid it names one backend for ever; null: not visible to the caller.';
-- Fact: somebody was given a task until a time.  lease_no is the fencing token.
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
comment on table queues.task_lease is 'Every lease of every task. Whether a task is claimed now is told by queues.task_state.';
comment on column queues.task_lease.expires_at is 'As given; renewals are in queues.task_lease_renewed.';
comment on column queues.task_lease.lease_no is '1, 2, 3 ... per task.';
comment on column queues.task_lease.holder_id is 'Who took it: queues.holder.';
comment on column queues.task_lease.payload is 'What was handed out, if duplicates had been merged in.';
-- Fact: the one end of a task.  No check and no foreign key: this is the hottest
-- insert, and only engine functions write it.
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
comment on table queues.task_completed is 'The end of each task; at most one row per task.';
comment on column queues.task_completed.outcome is
    'succeeded, non_success, failed, cancelled, quarantined, superseded or in_doubt.';
comment on column queues.task_completed.status is 'Status of the envelope; null: the same word as the outcome.';
comment on column queues.task_completed.lease_no is 'Lease that ended it; null: none did.';
comment on column queues.task_completed.started_at is 'When the run that ended it began.';
comment on column queues.task_completed.result is 'What the run or the provider gave back.';
comment on column queues.task_completed.completed_by is 'Who ended it, where that is not the holder of the lease.';
-- Fact: something went wrong with a task.
create table queues.error (
    error_id       bigint generated always as identity,
    task_id        bigint,
    error_message  text not null,
    created_at     timestamptz not null,
    lease_no       integer,
    sqlstate       text,
    source         text,
    error_class    text,
    constraint error_pkey primary key (error_id)
);
create index error_task_idx on queues.error (task_id, error_id);
comment on table queues.error is 'Errors of tasks, handlers, supervisors and of the engine.';
comment on column queues.error.task_id is 'Null: not about one task.';
comment on column queues.error.source is
    'function, before_handler, provider, success_handler, error_handler, before_procedure, after_procedure, supervisor, engine or client.';
comment on column queues.error.error_class is
    'payload, policy, network, refused, rate_limited, server, in_doubt or handler.';
-- Fact: a lease was made longer.
create table queues.task_lease_renewed (
    task_id     bigint not null,
    lease_no    integer not null,
    renewed_at  timestamptz not null,
    expires_at  timestamptz not null
);
create index task_lease_renewed_task_idx on queues.task_lease_renewed (task_id, lease_no);
comment on table queues.task_lease_renewed is 'Renewals of leases.';
-- Fact: a lease ended without completing its task.  (A completion is the end of
-- its own lease.)
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
comment on column queues.task_lease_ended.retry_at is 'The time that the task got in queues.ready; infinity while it waits.';
comment on column queues.task_lease_ended.outcome is 'Outcome already known, for which only the handler is missing.';
comment on column queues.task_lease_ended.result is 'Result already known.';
-- Fact: from now on an outside effect may have happened.
create table queues.task_dispatched (
    task_id          bigint not null,
    lease_no         integer not null,
    dispatched_at    timestamptz not null,
    adapter          text not null,
    idempotency_key  text not null,
    constraint task_dispatched_pkey primary key (task_id, lease_no)
);
comment on table queues.task_dispatched is 'Sends that were announced, before their first byte left.';
comment on column queues.task_dispatched.idempotency_key is 'The same for every lease of the task.';
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
-- Fact: a waiting task was merged, woken or moved in time.
create table queues.task_changed (
    task_id       bigint not null,
    change_no     integer not null,
    changed_at    timestamptz not null,
    reason        text not null,
    payload       jsonb,
    available_at  timestamptz not null,
    changed_by    text not null,
    priority      bigint not null,
    lease_no      integer not null,
    constraint task_changed_pkey primary key (task_id, change_no)
);
comment on table queues.task_changed is 'Changes of waiting tasks; with the leases they give the key of the ready row.';
comment on column queues.task_changed.reason is 'merge, wake or reschedule.';
comment on column queues.task_changed.payload is 'The payload that came in with a merge.';
comment on column queues.task_changed.available_at is 'Time of the ready row after the change.';
comment on column queues.task_changed.priority is 'Priority of the ready row after the change.';
comment on column queues.task_changed.lease_no is 'Last lease at that moment; a later lease makes the change history.';
-- Fact: somebody asked to cancel a task that was running.
create table queues.task_cancel_requested (
    task_id       bigint not null,
    requested_at  timestamptz not null,
    requested_by  text not null,
    reason        text,
    constraint task_cancel_requested_pkey primary key (task_id)
);
comment on table queues.task_cancel_requested is 'Requests to cancel, respected at the next step of the task.';
-- Fact: one supervised piece of work: a supervisor and the ids it works on.
create table queues.process (
    process_id         bigint generated always as identity,
    supervisor         text not null,
    ids                jsonb not null,
    parent_process_id  bigint,
    created_at         timestamptz not null,
    constraint process_pkey primary key (process_id),
    constraint process_supervisor_ids_key unique (supervisor, ids)
);
create index process_parent_idx on queues.process (parent_process_id) where parent_process_id is not null;
comment on table queues.process is 'Supervised processes.';
comment on column queues.process.supervisor is 'schema.name of the supervisor function.';
comment on column queues.process.ids is 'What tells this process from others of the supervisor.';
comment on column queues.process.parent_process_id is 'Process in whose run it was created.';
-- Fact: one run of a supervisor: what it saw and what it decided.
create table queues.process_run (
    process_id   bigint not null,
    run_no       integer not null,
    task_id      bigint not null,
    lease_no     integer,
    ran_at       timestamptz not null,
    facts        jsonb,
    status       text,
    failed       boolean not null default false,
    enqueued     integer not null default 0,
    next_run_at  timestamptz,
    quiet_runs   integer not null default 0,
    idle_runs    integer not null default 0,
    failures     integer not null default 0,
    constraint process_run_pkey primary key (process_id, run_no)
);
create index process_run_task_idx on queues.process_run (task_id);
comment on table queues.process_run is 'Runs of supervisors: what each saw and decided.';
comment on column queues.process_run.facts is 'Facts that the run saw.';
comment on column queues.process_run.failed is 'True: it raised or timed out, and its work was rolled back.';
comment on column queues.process_run.enqueued is 'Tasks that the run enqueued, its own next run not counted.';
comment on column queues.process_run.quiet_runs is 'Runs in a row that saw nothing new and enqueued nothing.';
comment on column queues.process_run.idle_runs is 'Quiet runs in a row while nothing else of the process was open.';
comment on column queues.process_run.failures is 'Failed runs in a row, this one included.';
-- Fact: a process has no open run any more, and why.  A process that was opened again and
-- cancelled before it ran has two ends after the same run.
create table queues.process_ended (
    process_id  bigint not null,
    run_no      integer not null,
    ended_at    timestamptz not null,
    reason      text not null,
    message     text,
    constraint process_ended_pkey primary key (process_id, run_no, ended_at)
);
comment on table queues.process_ended is 'Ends of processes. A later enqueue opens the process again.';
comment on column queues.process_ended.run_no is 'Last run before the end; 0: it never ran.';
comment on column queues.process_ended.reason is
    'Status of the last run, or supervisor_failed, run_limit, cancelled, quarantined ...';
-- Fact: an operator gave an ended process a new run.
create table queues.process_revived (
    process_id  bigint not null,
    revived_at  timestamptz not null,
    revived_by  text not null,
    task_id     bigint not null,
    constraint process_revived_pkey primary key (process_id, task_id)
);
comment on table queues.process_revived is 'Revivals: idle and failure counts start again.';
-- Fact: a worker program began.
create table queues.worker_started (
    worker_id        uuid not null,
    worker_name      text not null,
    version          text not null,
    host             text,
    pid              integer,
    single_instance  boolean not null default false,
    started_at       timestamptz not null,
    constraint worker_started_pkey primary key (worker_id)
);
comment on table queues.worker_started is 'Worker programs that began.';
comment on column queues.worker_started.host is 'Address the server saw it come from; null: a local socket.';
comment on column queues.worker_started.pid is 'Its first backend.';
-- When each live worker last gave a sign, and what it serves.  Not a fact: it
-- lets a person see a task that nobody would take.
create table queues.worker_seen (
    worker_id  uuid not null,
    seen_at    timestamptz not null,
    queues     text[],
    types      text[],
    constraint worker_seen_pkey primary key (worker_id)
) with (fillfactor = 50);
comment on table queues.worker_seen is 'Last sign of life of each worker.';
comment on column queues.worker_seen.queues is 'Queues it serves; null: all.';
comment on column queues.worker_seen.types is 'Task types it serves; null: all.';
-- Fact: a worker program ended in order.
create table queues.worker_stopped (
    worker_id   uuid not null,
    stopped_at  timestamptz not null,
    reason      text,
    constraint worker_stopped_pkey primary key (worker_id)
);
comment on table queues.worker_stopped is 'Workers that stopped in order.';
-- Fact: a range of old completed tasks was removed by retention.
create table queues.pruned (
    prune_id      bigint generated always as identity,
    pruned_at     timestamptz not null,
    from_task_id  bigint not null,
    to_task_id    bigint not null,
    tasks         bigint not null,
    constraint pruned_pkey primary key (prune_id)
);
comment on table queues.pruned is 'What retention has removed.';
-- Fact: a person changed a rule or acted on a task.
create table queues.audit (
    audit_id  bigint generated always as identity,
    acted_at  timestamptz not null,
    actor     text not null,
    action    text not null,
    object    text not null,
    detail    jsonb,
    constraint audit_pkey primary key (audit_id)
);
comment on table queues.audit is 'Acts of operators and administrators, with the login that did them.';
-- Settings of the engine that belong to the database, not to one program.
create table internal.config (
    key         text not null,
    value       jsonb not null,
    updated_at  timestamptz not null default clock_timestamp(),
    updated_by  text not null default session_user,
    constraint config_pkey primary key (key)
);
comment on table internal.config is 'Settings; read with internal.get_config, changed with internal.set_config.';
-- First key of the runner: functions that may be called by name, and where.
create table internal.allowed_function (
    function_name   text not null,
    signature       text not null,
    call            text not null,
    kind            text not null,
    facts_function  text,
    process_keys    text[],
    max_idle_runs   integer,
    enqueuers       name[],
    enabled         boolean not null default true,
    added_at        timestamptz not null,
    added_by        text not null,
    constraint allowed_function_pkey primary key (function_name)
);
comment on table internal.allowed_function is 'Functions that tasks may name; EXECUTE of the worker is the second key.';
comment on column internal.allowed_function.function_name is 'schema.name, the exact text that a payload must carry.';
comment on column internal.allowed_function.signature is 'schema.name(argument types), as resolved.';
comment on column internal.allowed_function.call is 'Identifiers quoted by the server from its catalog; never user text.';
comment on column internal.allowed_function.kind is
    'Comma-separated: task, supervisor, before, success, error, job, facts.';
comment on column internal.allowed_function.facts_function is 'Call of the facts function of a supervisor.';
comment on column internal.allowed_function.process_keys is 'Payload keys that identify a process; null: all but the engine''s own.';
comment on column internal.allowed_function.enqueuers is 'Roles that may enqueue it; null: every enqueuer.';
-- Which database this installation belongs to.  A copy is recognised by it and
-- sends nothing until it is adopted.
create table internal.installation (
    installation_id    uuid not null default gen_random_uuid(),
    system_identifier  bigint not null,
    database_oid       oid not null,
    database_name      name not null,
    adopted_at         timestamptz not null default clock_timestamp(),
    adopted_by         text not null default session_user,
    constraint installation_pkey primary key (adopted_at)
);
comment on table internal.installation is 'Identity of the database; the newest row counts.';
-- The clock of a test transaction.  Rows never get committed: a deferred trigger
-- refuses (queues.set_test_clock).
create table internal.test_clock (
    xact  xid8 not null,
    at    timestamptz not null,
    constraint test_clock_pkey primary key (xact)
);
comment on table internal.test_clock is 'Moved clocks of test transactions, which can only roll back.';
-- Types that only engine functions use.

-- What a task may carry beyond type, payload, time, queue and priority.
create type internal.task_extras as (
    dedup_key        text,
    max_crashes      smallint,
    timeout          interval,
    on_in_doubt      text,
    idempotency_key  text,
    parent_id        bigint,
    depth            integer,
    retry_of         bigint
);
comment on type internal.task_extras is 'Optional attributes of a task to be added.';

-- What the rules say about a task of one type in one queue (internal.enqueue_rule).
create type internal.task_rule as (
    adapter            text,
    type_id            smallint,
    queue              text,
    queue_id           integer,
    is_indirect        boolean,
    max_payload_bytes  integer,
    notify             boolean
);
comment on type internal.task_rule is 'Rules for a task of a type in a queue.';

-- What an answer of a function or handler means (internal.read_envelope).
create type internal.verdict as (
    outcome     text,
    status      text,
    error       text,
    is_success  boolean
);
comment on type internal.verdict is 'Meaning of an envelope: outcome and status of the task, text of the error.';

-- One queue and priority as a range of the ready index (queues.claim).
create type internal.lane as (
    queue_id       integer,
    priority       bigint,
    starts_at      timestamptz,
    room           integer,
    only_children  boolean,
    begun_first    boolean
);
comment on type internal.lane is 'A range of the ready index from which a claim may take some rows.';

-- How one run of database work ended (queues.execute_batch to internal.end_execute).
create type internal.run_end as (
    task_id         bigint,
    lease_no        integer,
    outcome         text,
    status          text,
    error           text,
    error_sqlstate  text,
    error_source    text,
    handler_error   text,
    result          jsonb,
    started_at      timestamptz,
    process_id      bigint,
    facts           jsonb,
    enqueued        integer,
    has_raised      boolean
);
comment on type internal.run_end is 'The end of one run: outcome, errors, and for a supervisor what it saw and enqueued.';

-- What queues.finish has to do once the fence has been passed (internal.begin_finish).
create type internal.finish_step as (
    answer         text,
    outcome        text,
    status         text,
    result         jsonb,
    error          text,
    error_class    text,
    handler        text,
    handler_kind   text,
    handler_input  jsonb
);
comment on type internal.finish_step is 'The handler to run and the end to record, or the answer if there is nothing to do.';

-- What queues.begin_dispatch has to do once the fence has been passed.
create type internal.dispatch_step as (
    decision        text,
    adapter         text,
    payload         jsonb,
    before_handler  text,
    error           text,
    timeout         interval
);
comment on type internal.dispatch_step is 'The before handler to call, or the decision if there is nothing to do.';
