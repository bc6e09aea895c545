-- 0009_first_release: the schema of the first release: types and tables of sql/install.sql, in its order.
-- Locks: only new objects.  No program migrates to this version: an older schema was made by a pre-release, and migrate refuses it.
-- Types of the engine.

-- The form of a task type.  The types that exist are rows of queues.registered_task_type, so users can add their own.
create domain queues.task_type as text
    constraint task_type_form check (value ~ '^[a-z][a-z0-9_]{0,62}$');
comment on domain queues.task_type is
    'Form of a task type name; the members are rows of queues.registered_task_type.';

-- Why something waits, or ended as it did (queues.why).
create type queues.explanation as (
    subject   text,
    reason    text,
    sentence  text,
    since     timestamptz,
    until     timestamptz,
    by_whom   text,
    evidence  jsonb
);
comment on type queues.explanation is 'Why a task, process or job waits or has ended: a fixed word, a sentence, and the evidence.';
comment on column queues.explanation.subject is 'What is explained: task 5, process 7, job 3.';
comment on column queues.explanation.reason is 'A fixed word; unknown: the database cannot know.';
comment on column queues.explanation.since is 'Time since which the reason holds, or of the end; null: not known.';
comment on column queues.explanation.until is 'Time at which the reason passes by itself; null: not known, or not by itself.';
comment on column queues.explanation.by_whom is 'Login, worker or user behind the reason; null: nobody, or not known.';
comment on column queues.explanation.evidence is 'What the sentence rests on; also: further reasons that hold.';
-- Applied schema changes.  The existence of this table marks the schema as ours.
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
comment on column queues.migration.checksum is 'SHA-256 of the file; an applied file never changes.';
comment on column queues.migration.applied_at is 'Time of the change.';
-- The ways to carry out a task.  A task type has one of them (queues.registered_task_type).
create table internal.adapter (
    adapter  text not null,
    kind     text not null,
    is_open  boolean not null default true,
    answers  boolean not null default false,
    sends_payload   boolean not null default false,
    is_interrupted  boolean not null default false,
    constraint adapter_pkey primary key (adapter),
    constraint kind_is_known check (kind in ('run', 'prepared', 'call', 'nothing'))
);
comment on table internal.adapter is 'Ways to carry out a task, and the kind of work of each.';
comment on column internal.adapter.adapter is 'Name; for a call, the name of a channel of the program.';
comment on column internal.adapter.kind is
    'run: in the database; prepared: in the database, perhaps after a step of its own; call: outside; nothing: only completed.';
comment on column internal.adapter.is_open is 'True: users may register task types with it.';
comment on column internal.adapter.answers is 'Its calls may end as answered, and the status of the answer says how.';
comment on column internal.adapter.sends_payload is 'Without a before handler, its calls send the payload itself.';
comment on column internal.adapter.is_interrupted is 'A request to cancel interrupts its calls.';
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
    kind             text not null,
    is_reserved      boolean not null default false,
    is_interrupted   boolean not null default false,
    is_watched       boolean not null default false,
    variant_key      text,
    hooks            jsonb,
    sends_payload    boolean not null default false,
    constraint registered_task_type_pkey primary key (task_type),
    constraint registered_task_type_type_id_key unique (type_id),
    constraint kind_is_known check (kind in ('run', 'prepared', 'call', 'nothing')),
    constraint hooks_is_object check (jsonb_typeof(hooks) = 'object'),
    constraint max_crashes_in_range check (max_crashes between 1 and 1000),
    constraint on_in_doubt_is_known check (on_in_doubt in ('retry', 'fail'))
);
comment on table queues.registered_task_type is 'Task types and how each is carried out.';
comment on column queues.registered_task_type.type_id is 'Number used for the type in the working tables.';
comment on column queues.registered_task_type.adapter is
    'How a task is carried out: a row of internal.adapter.';
comment on column queues.registered_task_type.default_queue is 'Queue of a task that names none.';
comment on column queues.registered_task_type.before_required is 'True: a task without before_handler fails.';
comment on column queues.registered_task_type.timeout is 'Longest time of one run; null: no limit.';
comment on column queues.registered_task_type.max_crashes is 'Leases that may die before the task is quarantined.';
comment on column queues.registered_task_type.on_in_doubt is
    'What follows a dispatch without a result: retry (send again with the same key) or fail.';
comment on column queues.registered_task_type.kind is 'Kind of work, from internal.adapter.';
comment on column queues.registered_task_type.is_reserved is 'True: only its own functions enqueue it, and only workers lease it.';
comment on column queues.registered_task_type.is_interrupted is 'True: a request to cancel interrupts a run.';
comment on column queues.registered_task_type.is_watched is 'True: changes of state are notified on worker_task_changed, if notify_task_changes is set.';
comment on column queues.registered_task_type.variant_key is 'Field of the payload that names a row of internal.task_variant; null: none.';
comment on column queues.registered_task_type.hooks is 'Functions that replace steps of the engine, by step; null: none.';
comment on column queues.registered_task_type.sends_payload is 'Without a before handler, its calls send the payload itself; from internal.adapter.';
-- Named queues with their limits.  It is no hot table: only people change it.
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
comment on column queues.queue.paused_until is 'End of a pause; infinity: until resumed; null: not paused.';
-- One row per unit of work, inserted by queues.enqueue and never changed.  Columns after scheduled_at are null if the default of
-- the type holds: a null costs one bit, and most tasks need none of them.  There is no check constraint: every statement would
-- read it again, which costs as much as the row.  queues.check checks the same rules.
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
    is_supervisor_run          boolean,
    parent_id        bigint,
    depth            integer,
    retry_of         bigint,
    constraint task_pkey primary key (task_id)
);
-- Retention and the history of a process read the tasks of one process.
create index task_process_idx on queues.task (process_id, task_id) where process_id is not null;
-- Retention and the history of a tree read the children of a parent.
create index task_parent_idx on queues.task (parent_id, task_id) where parent_id is not null;
-- The processes that a task started or woke up, for schedules whose work is to do that.
create index task_origin_idx on queues.task (origin_task_id) where is_supervisor_run and origin_task_id is not null;
-- Was a task repeated by hand, or as its next attempt?
create index task_retry_of_idx on queues.task (retry_of) where retry_of is not null;
-- Commands by name (worker.tasks), whatever the size of other history.
create index task_command_idx on queues.task ((payload->>'command'), task_id) where task_type = 'command';
-- The frequency of each command: the newest tasks of a common command are found from the end, all tasks of a rare one by its
-- name.  Servers before 14 have no such statistics.
do $$
begin
    if current_setting('server_version_num')::integer >= 140000 then
        execute 'create statistics queues.task_command_stat on (payload->>''command'') from queues.task';
        execute 'comment on statistics queues.task_command_stat is ''How common each command is.''';
    end if;
end
$$;
comment on table queues.task is 'Every unit of work, as it was enqueued. Rows are never changed.';
comment on column queues.task.task_type is 'Type of the work: a row of queues.registered_task_type.';
comment on column queues.task.payload is 'The work, a JSON object. After a merge, a lease has its own: queues.task_lease.payload.';
comment on column queues.task.enqueued_at is 'Start of the transaction that enqueued it.';
comment on column queues.task.scheduled_at is 'Earliest start.';
comment on column queues.task.queue is 'Name of its queue.';
comment on column queues.task.priority is 'Smaller numbers are claimed first.';
comment on column queues.task.task_uuid is 'Random public name of a channel task; null for database work.';
comment on column queues.task.max_crashes is 'Leases that may die before quarantine; null: as its type.';
comment on column queues.task.timeout is 'Longest time of one run; null: as its type.';
comment on column queues.task.on_in_doubt is 'retry or fail; null: as its type.';
comment on column queues.task.idempotency_key is 'Key of the logical send; null: the enqueuer gave none.';
comment on column queues.task.dedup_key is 'Key for which a waiting duplicate was looked for; null: none.';
comment on column queues.task.origin_task_id is 'Task whose run enqueued this one; null: none.';
comment on column queues.task.process_id is 'Supervised process that the task belongs to; null: none.';
comment on column queues.task.is_supervisor_run is 'True: a run of the supervisor itself.';
comment on column queues.task.parent_id is 'Parent task, which waits for this one; null: none.';
comment on column queues.task.depth is 'Distance from the top of its tree; null: 0.';
comment on column queues.task.retry_of is 'Completed task that this one repeats: by hand, or as its next attempt (queues.task_attempt); null: none.';
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
-- Default policies of retries: one row per task type, function or command.  A task that fails looks here if it names no policy itself.
create table queues.retry_policy (
    scope           text not null,
    name            text not null,
    max_attempts    smallint,
    backoff         jsonb,
    final_statuses  text[],
    constraint retry_policy_pkey primary key (scope, name),
    constraint scope_is_known check (scope in ('type', 'function', 'command'))
);
comment on table queues.retry_policy is 'Default policies of retries, by task type, function and command.';
comment on column queues.retry_policy.scope is 'type, function or command.';
comment on column queues.retry_policy.name is 'Task type, function as schema.name, or command.';
comment on column queues.retry_policy.max_attempts is 'Attempts in all, with the first; null: this row does not say.';
comment on column queues.retry_policy.backoff is 'Waits between the attempts, as internal.checked_backoff returns them; null: this row does not say.';
comment on column queues.retry_policy.final_statuses is 'Statuses after which a task is not retried; null: none.';
-- Fact: a task is one attempt of work that has a policy of retries.  A first attempt has a row if its enqueuer named a policy, or if it
-- was retried.  So a task without a policy costs nothing.  The primary key allows at most one next attempt.
create table queues.task_attempt (
    chain_id      bigint not null,
    attempt       smallint not null,
    task_id       bigint not null,
    max_attempts  smallint not null,
    backoff       jsonb,
    constraint task_attempt_pkey primary key (chain_id, attempt),
    constraint task_attempt_task_id_key unique (task_id)
);
comment on table queues.task_attempt is 'Attempts of work that has a policy of retries.';
comment on column queues.task_attempt.chain_id is 'First attempt of the same work.';
comment on column queues.task_attempt.attempt is 'Number of this attempt, from 1.';
comment on column queues.task_attempt.max_attempts is 'Attempts in all, with the first.';
comment on column queues.task_attempt.backoff is 'Waits between attempts; null: the default of its function, command or type.';
-- Fact: a task belongs to a trace.  Tasks without a trace have no row, so they cost nothing.
create table queues.task_trace (
    task_id      bigint not null,
    traceparent  text not null,
    follows      bigint,
    constraint task_trace_pkey primary key (task_id)
);
-- The leases of sampled tasks, beside any number of traces that nobody wants (internal.lease_traces).
create index task_trace_sampled_idx on queues.task_trace (task_id)
    where right(traceparent, 1) in ('1', '3', '5', '7', '9', 'b', 'd', 'f');
comment on table queues.task_trace is 'Traces of tasks that were given one.';
comment on column queues.task_trace.traceparent is 'The enqueuer''s span, as a W3C traceparent of version 00.';
comment on column queues.task_trace.follows is
    'Task whose trace this one continues: its last attempt, or the task whose run enqueued it; null: the enqueuer gave the trace.';
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
-- Holders of leases: a worker (or a client without one) on one backend.  A lease stores one number instead of five columns.
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
comment on column queues.error.task_id is 'Task that the error is about; null: none.';
comment on column queues.error.source is
    'function, before_handler, provider, success_handler, error_handler, before_procedure, after_procedure, supervisor, facts_function, engine or client.';
comment on column queues.error.error_class is
    'payload, policy, network, refused, rate_limited, server, in_doubt or handler.';
-- Fact: a lease was extended.
create table queues.task_lease_renewed (
    task_id     bigint not null,
    lease_no    integer not null,
    renewed_at  timestamptz not null,
    expires_at  timestamptz not null
);
create index task_lease_renewed_task_idx on queues.task_lease_renewed (task_id, lease_no);
comment on table queues.task_lease_renewed is 'Renewals of leases.';
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
-- Fact: from now on an outside effect may have happened.
create table queues.task_dispatched (
    task_id          bigint not null,
    lease_no         integer not null,
    dispatched_at    timestamptz not null,
    adapter          text not null,
    idempotency_key  text not null,
    constraint task_dispatched_pkey primary key (task_id, lease_no)
);
comment on table queues.task_dispatched is 'Announced sends. Each row is committed before the first byte is sent.';
comment on column queues.task_dispatched.idempotency_key is 'The same for every lease of the task.';
-- Fact: how far a call has come, as the program said.  A worker records the first reports of a call and then fewer and fewer.
create table queues.task_progress (
    task_id      bigint not null,
    lease_no     integer not null,
    reported_at  timestamptz not null,
    progress     jsonb not null,
    constraint task_progress_pkey primary key (task_id, lease_no, reported_at)
);
comment on table queues.task_progress is 'Reports of progress of tasks that a program carries out.';
comment on column queues.task_progress.progress is 'Any JSON value of the program, at most 16 KiB.';
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
-- Fact: a waiting task was merged, woken or rescheduled.
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
comment on table queues.task_changed is 'Changes of waiting tasks. Together with the leases they give the key of the ready row.';
comment on column queues.task_changed.reason is 'merge, wake or reschedule.';
comment on column queues.task_changed.payload is 'The payload that was merged in; null: none.';
comment on column queues.task_changed.available_at is 'Time of the ready row after the change.';
comment on column queues.task_changed.priority is 'Priority of the ready row after the change.';
comment on column queues.task_changed.lease_no is 'Last lease at that moment; after a later lease the change no longer counts.';
-- Fact: a person asked to cancel a running task.
create table queues.task_cancel_requested (
    task_id       bigint not null,
    requested_at  timestamptz not null,
    requested_by  text not null,
    reason        text,
    constraint task_cancel_requested_pkey primary key (task_id)
);
comment on table queues.task_cancel_requested is 'Requests to cancel, respected at the next step of the task.';
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
-- Fact: a run took what had been merged into its task, and this payload came of it.
create table queues.task_folded (
    task_id    bigint not null,
    lease_no   integer not null,
    folded_at  timestamptz not null,
    merges     integer not null,
    payload    jsonb not null,
    constraint task_folded_pkey primary key (task_id, lease_no)
);
comment on table queues.task_folded is 'Payloads that runs were given after merges were folded in.';
comment on column queues.task_folded.merges is 'How many merges were folded in by this lease.';
comment on column queues.task_folded.payload is 'What the run was given.';
-- Fact: one supervised piece of work, that is a supervisor and the ids that it works on.
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
comment on column queues.process.ids is 'Ids that identify this process among those of the supervisor.';
comment on column queues.process.parent_process_id is 'Process whose run created this one; null: none.';
-- Fact: one run of a supervisor, with its facts and its decision.
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
comment on table queues.process_run is 'Runs of supervisors, with their facts and decisions.';
comment on column queues.process_run.facts is 'Facts that the run saw.';
comment on column queues.process_run.failed is 'True: the run raised or timed out, and its work was rolled back.';
comment on column queues.process_run.enqueued is 'Tasks that the run enqueued, without its own next run.';
comment on column queues.process_run.quiet_runs is 'Runs in a row that saw nothing new and enqueued nothing.';
comment on column queues.process_run.idle_runs is 'Quiet runs in a row while nothing else of the process was open.';
comment on column queues.process_run.failures is 'Failed runs in a row, this one included.';
-- Fact: a process has no open run any more, and the reason.  A process that was opened again and cancelled before it ran has two
-- ends after the same run.
create table queues.process_ended (
    process_id  bigint not null,
    run_no      integer not null,
    ended_at    timestamptz not null,
    reason      text not null,
    message     text,
    constraint process_ended_pkey primary key (process_id, run_no, ended_at)
);
-- Processes that ended early (queues.metrics).
create index process_ended_early_idx on queues.process_ended (ended_at) where reason in ('supervisor_failed', 'run_limit', 'quarantined');
comment on table queues.process_ended is 'Ends of processes. A later enqueue opens the process again.';
comment on column queues.process_ended.run_no is 'Last run before the end; 0: the process never ran.';
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
comment on column queues.worker_started.host is 'Address of the program, as seen by the server; null: a local socket.';
comment on column queues.worker_started.pid is 'Process id of its first backend.';
-- The last sign of life of each live worker, and the queues and types that it serves.  It is no fact: it lets a person see a task
-- that nobody would take.
create table queues.worker_seen (
    worker_id     uuid not null,
    seen_at       timestamptz not null,
    queues        text[],
    types         text[],
    closed        text[],
    closed_until  timestamptz[],
    constraint worker_seen_pkey primary key (worker_id)
) with (fillfactor = 50);
comment on table queues.worker_seen is 'Last sign of life of each worker.';
comment on column queues.worker_seen.queues is 'Queues that the worker serves; null: all.';
comment on column queues.worker_seen.types is 'Task types that the worker serves; null: all.';
comment on column queues.worker_seen.closed is 'Destinations that the worker does not call for a while, because they failed; null: none.';
comment on column queues.worker_seen.closed_until is 'End of that time, for each of them.';
-- Fact: a worker program ended regularly.
create table queues.worker_stopped (
    worker_id   uuid not null,
    stopped_at  timestamptz not null,
    reason      text,
    constraint worker_stopped_pkey primary key (worker_id)
);
comment on table queues.worker_stopped is 'Worker programs that ended regularly.';
-- Fact: retention removed a range of old completed tasks.
create table queues.pruned (
    prune_id      bigint generated always as identity,
    pruned_at     timestamptz not null,
    from_task_id  bigint not null,
    to_task_id    bigint not null,
    tasks         bigint not null,
    constraint pruned_pkey primary key (prune_id)
);
comment on table queues.pruned is 'Ranges of tasks that retention has removed.';
-- Facts of a minute, added up from leases and completions by internal.roll_up, by queue and type.  A minute is written once, when
-- no transaction that could add to it is open.
create table queues.throughput (
    minute           timestamptz not null,
    queue            text not null,
    task_type        text not null,
    started          bigint not null,
    succeeded        bigint not null,
    failed           bigint not null,
    other            bigint not null,
    waits            bigint not null,
    wait_seconds     double precision not null,
    wait_seconds_max double precision not null,
    runs             bigint not null,
    run_seconds      double precision not null,
    run_seconds_max  double precision not null,
    constraint throughput_pkey primary key (minute, queue, task_type)
);
comment on table queues.throughput is 'Leases, completions, waits and runs of each minute, by queue and type.';
comment on column queues.throughput.minute is 'Start of the minute.';
comment on column queues.throughput.started is 'Leases that began in this minute.';
comment on column queues.throughput.succeeded is 'Completions with outcome succeeded or non_success.';
comment on column queues.throughput.failed is 'Completions with outcome failed, quarantined or in_doubt.';
comment on column queues.throughput.other is 'Completions with outcome cancelled or superseded.';
comment on column queues.throughput.waits is 'First leases: only these have a wait.';
comment on column queues.throughput.wait_seconds is 'Sum of the waits, from the scheduled time to the first lease.';
comment on column queues.throughput.wait_seconds_max is 'Longest wait.';
comment on column queues.throughput.runs is 'Completions of tasks that ran.';
comment on column queues.throughput.run_seconds is 'Sum of the times from the start of the last run to the completion.';
comment on column queues.throughput.run_seconds_max is 'Longest of these times.';
-- How far internal.roll_up has come.  One row.  The mark is a moment, and the transactions that were open then.
create table internal.roll_up_state (
    is_only       boolean not null default true,
    rolled_until  timestamptz not null,
    mark_at       timestamptz,
    mark_xmax     xid8,
    mark_open     text[],
    constraint roll_up_state_pkey primary key (is_only),
    constraint roll_up_state_has_one_row check (is_only)
);
comment on table internal.roll_up_state is 'How far queues.throughput has been written.';
comment on column internal.roll_up_state.rolled_until is 'Start of the first minute that is not written.';
comment on column internal.roll_up_state.mark_at is 'Time of the mark; null: none.';
comment on column internal.roll_up_state.mark_xmax is 'Transactions from this number on began after the mark.';
comment on column internal.roll_up_state.mark_open is 'Virtual transactions that were open at the mark.';
-- Fact: a person changed a rule or acted on a task.
create table queues.audit (
    audit_id  bigint generated always as identity,
    acted_at  timestamptz not null,
    actor     text not null,
    action    text not null,
    object    text not null,
    detail    jsonb,
    via       text,
    constraint audit_pkey primary key (audit_id)
);
-- Who paused a queue (queues.why).
create index audit_pause_idx on queues.audit (object, audit_id) where action = 'pause_queue';
comment on table queues.audit is 'Acts of operators and administrators, with the login or person that did them.';
comment on column queues.audit.actor is 'Login that acted, or the person whom the dashboard named.';
comment on column queues.audit.via is 'Login whose session acted for the actor; null: the actor is the login.';
-- Settings of the engine that belong to the database, not to one program.
create table internal.config (
    key         text not null,
    value       jsonb not null,
    updated_at  timestamptz not null default clock_timestamp(),
    updated_by  text not null default session_user,
    constraint config_pkey primary key (key)
);
comment on table internal.config is 'Settings; read with internal.get_config, changed with internal.set_config.';
-- Functions that tasks may name, and in which positions.  A call also needs EXECUTE for the worker.
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
    returns_facts   boolean not null default false,
    constraint allowed_function_pkey primary key (function_name)
);
comment on table internal.allowed_function is 'Functions that tasks may name; the worker also needs EXECUTE on them.';
comment on column internal.allowed_function.function_name is 'schema.name, the exact text that a payload must carry.';
comment on column internal.allowed_function.signature is 'schema.name(argument types), as resolved.';
comment on column internal.allowed_function.call is 'Identifiers quoted by the server from its catalog; never user text.';
comment on column internal.allowed_function.kind is
    'Comma-separated: task, supervisor, before, success, error, job, facts.';
comment on column internal.allowed_function.facts_function is 'Call of the facts function of a supervisor; null: none.';
comment on column internal.allowed_function.returns_facts is
    'True: its answer always contains the facts that it saw, so the engine need not read them.';
comment on column internal.allowed_function.process_keys is 'Payload keys that identify a process; null: all but the engine''s own.';
comment on column internal.allowed_function.enqueuers is 'Roles that may enqueue it; null: every enqueuer.';
-- The calls that may use a named secret: its hosts, its uses, and the roles that may name it.
create table internal.allowed_secret (
    secret_name  text not null,
    hosts        text[] not null,
    roles        name[] not null,
    uses         text[] not null,
    added_at     timestamptz not null,
    added_by     text not null,
    constraint allowed_secret_pkey primary key (secret_name)
);
comment on table internal.allowed_secret is 'Secrets that tasks and jobs may name, with the roles and hosts of each.';
comment on column internal.allowed_secret.hosts is
    'host (https, port 443), host:port, *.suffix, *.suffix:port, / for edge functions; * for all, if it only signs.';
comment on column internal.allowed_secret.roles is 'Roles whose members may name it.';
comment on column internal.allowed_secret.uses is 'header: its value is sent; sign: it makes a signature.';
-- The database that this installation belongs to.  A copy differs from it, and sends nothing until it is adopted.
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
-- The clock of a test transaction.  A deferred trigger refuses to commit such a row (queues.set_test_clock).
create table internal.test_clock (
    xact  xid8 not null,
    at    timestamptz not null,
    constraint test_clock_pkey primary key (xact)
);
comment on table internal.test_clock is 'Moved clocks of test transactions, which can only roll back.';
-- Marks a transaction in which retention removes facts (internal.prune_tasks).  The row is inserted before the first fact is
-- removed and deleted after the last one, so no other transaction ever sees it.  Only the owner can write it; anybody could set
-- a setting.
create table internal.pruning (
    xact  xid8 not null,
    constraint pruning_pkey primary key (xact)
);
comment on table internal.pruning is 'The transaction in which retention removes facts right now.';
-- Types of commands.

-- The order in which the children of a parent run.
create type worker.child_mode as enum ('concurrent', 'serial');
comment on type worker.child_mode is 'concurrent: as many at once as limits allow. serial: one after the other, each with its whole subtree.';
-- Commands: the procedure of each, its queue, its hooks, and its treatment of duplicates.  A procedure is called only if it has a
-- row here and the worker has EXECUTE on it.  A trigger writes the columns that end in _call from the server's catalog.
create table worker.command_registry (
    command            text not null,
    handler_procedure  text not null,
    before_procedure   text,
    after_procedure    text,
    description        text,
    queue              text not null,
    created_at         timestamptz not null default now(),
    dedup_keys         text[],
    dedup_policy       text not null default 'merge',
    merge_rules        jsonb,
    merge_function     text,
    timeout            interval,
    max_crashes        smallint,
    enqueuers          name[],
    status_type        text,
    handler_call       text not null,
    before_call        text,
    after_call         text,
    merge_call         text,
    constraint command_registry_pkey primary key (command),
    constraint command_form check (command ~ '^[a-z][a-z0-9_]{0,62}$'),
    constraint dedup_policy_is_known check (dedup_policy in ('skip', 'merge', 'replace', 'error')),
    constraint command_timeout_positive check (timeout > interval '0'),
    constraint command_max_crashes_in_range check (max_crashes between 1 and 1000)
);
comment on table worker.command_registry is 'Commands: procedure, queue, hooks and the treatment of duplicates.';
comment on column worker.command_registry.handler_procedure is 'schema.name, or with argument types: (jsonb), or (jsonb, jsonb) with info.';
comment on column worker.command_registry.before_procedure is 'Runs and commits before the handler; null: none.';
comment on column worker.command_registry.after_procedure is 'Runs after the command and its children have ended; null: none.';
comment on column worker.command_registry.queue is 'Queue of its tasks.';
comment on column worker.command_registry.dedup_keys is
    'Payload keys that make two enqueues the same; empty: one waiting task per command; null: never the same.';
comment on column worker.command_registry.dedup_policy is 'Effect of a duplicate on the waiting task: skip, merge, replace or error.';
comment on column worker.command_registry.merge_rules is
    'Per payload key keep, replace, union, range_union[:type], least, greatest or sum; "*" for the others (replace).';
comment on column worker.command_registry.merge_function is '(old jsonb, new jsonb) returning jsonb; used instead of the rules; null: none.';
comment on column worker.command_registry.timeout is 'Longest time of one run; null: as the type command.';
comment on column worker.command_registry.max_crashes is 'Leases that may die before quarantine; null: as the type command.';
comment on column worker.command_registry.enqueuers is 'Roles that may enqueue it; null: every enqueuer.';
comment on column worker.command_registry.status_type is 'Notified on channel worker_status when a task begins and ends; null: no notification.';
comment on column worker.command_registry.handler_call is 'The call, from the catalog; never user text.';
-- Fact: this task has children, and their mode.  The first spawn writes it.  A session that ends a child, adds one or ends the
-- parent locks this row first, so none of them can miss another.  A run never holds this row.
create table worker.task_parent (
    task_id     bigint not null,
    child_mode  worker.child_mode not null,
    created_at  timestamptz not null,
    constraint task_parent_pkey primary key (task_id)
);
comment on table worker.task_parent is 'Tasks that have children.';
comment on column worker.task_parent.child_mode is 'concurrent or serial.';
-- Fact: the handler of a parent has returned; the parent waits for its children.
create table worker.handler_done (
    task_id     bigint not null,
    lease_no    integer not null,
    done_at     timestamptz not null,
    info        jsonb,
    started_at  timestamptz,
    constraint handler_done_pkey primary key (task_id)
);
comment on table worker.handler_done is 'Parents whose handler has returned.';
comment on column worker.handler_done.info is 'Info of the handler itself; the info of the children is added at the end.';
comment on column worker.handler_done.started_at is 'Start of the handler.';
-- Types that only engine functions use.

-- Attributes of a task beyond type, payload, time, queue and priority.
create type internal.task_extras as (
    dedup_key        text,
    max_crashes      smallint,
    timeout          interval,
    on_in_doubt      text,
    idempotency_key  text,
    parent_id        bigint,
    depth            integer,
    retry_of         bigint,
    max_attempts     smallint,
    backoff          jsonb
);
comment on type internal.task_extras is 'Optional attributes of a task to be added.';

-- A command to be added (internal.enqueue_command to internal.insert_command).
create type internal.command_task as (
    queue        text,
    queue_id     integer,
    type_id      smallint,
    payload      jsonb,
    at           timestamptz,
    priority     bigint,
    max_crashes  smallint,
    dedup_key    text,
    parent_id    bigint,
    depth        integer,
    is_blocked   boolean,
    merge_call   text,
    max_attempts smallint,
    backoff      jsonb
);
comment on type internal.command_task is 'A task of a command, to be added.';

-- The rules for a task of one type in one queue (internal.enqueue_rule).
create type internal.task_rule as (
    adapter            text,
    type_id            smallint,
    queue              text,
    queue_id           integer,
    is_indirect        boolean,
    max_payload_bytes  integer,
    notify             boolean,
    kind               text
);
comment on type internal.task_rule is 'Rules for a task of a type in a queue.';

-- The meaning of an answer of a function or handler (internal.read_envelope).
create type internal.verdict as (
    outcome     text,
    status      text,
    error       text,
    is_success  boolean
);
comment on type internal.verdict is 'Meaning of an envelope: outcome and status of the task, text of the error.';

-- How many calls of each destination a claim may take (internal.claim_limits to internal.claim_groups).
create type internal.claim_limits as (
    destinations      text[],
    rooms             integer[],
    retry_rooms       integer[],
    other_room        integer,
    other_retry_room  integer,
    shared_room       integer,
    skipped           text[],
    skipped_retries   text[],
    skips_unknown     boolean
);
comment on type internal.claim_limits is 'How many calls of each destination a claim may take.';

-- One queue and priority as a range of the ready index (queues.claim).
create type internal.lane as (
    queue_id       integer,
    priority       bigint,
    starts_at      timestamptz,
    room           integer,
    only_children  boolean,
    begun_first    boolean,
    after_id       bigint,
    only_top       boolean
);
comment on type internal.lane is 'A range of the ready index from which a claim may take some rows.';

-- The end of one run of database work (queues.execute_batch to internal.end_execute).
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
    has_raised      boolean,
    is_final        boolean,
    retry_after     interval
);
comment on type internal.run_end is 'The end of one run: outcome, errors, and for a supervisor the facts it saw and the tasks it enqueued.';

-- The end of one attempt, for the decision whether the work is retried (internal.retry_tasks).
create type internal.attempt_end as (
    task_id      bigint,
    lease_no     integer,
    outcome      text,
    status       text,
    is_final     boolean,
    retry_after  interval
);
comment on type internal.attempt_end is 'The end of one attempt: is_final excludes a retry, retry_after replaces the wait of the policy.';

-- The next step of queues.finish, once the fence has been passed (internal.begin_finish).
create type internal.finish_step as (
    answer         text,
    outcome        text,
    status         text,
    result         jsonb,
    error          text,
    error_class    text,
    handler        text,
    handler_kind   text,
    handler_input  jsonb,
    fail_hook      text
);
comment on type internal.finish_step is 'The handler to run and the end to record, or the answer if there is nothing to do.';

-- The next step of queues.begin_dispatch, once the fence has been passed.
create type internal.dispatch_step as (
    decision        text,
    adapter         text,
    payload         jsonb,
    before_handler  text,
    error           text,
    timeout         interval,
    hooks           jsonb,
    sends_payload   boolean
);
comment on type internal.dispatch_step is 'The before handler to call, or the decision if there is nothing to do.';

-- A run of an HTTP job that may be sent.
create type internal.begun_run as (
    task_id          bigint,
    decision         text,
    request          jsonb,
    body             text,
    secrets          jsonb,
    idempotency_key  text,
    timeout          interval,
    traceparent      text
);
comment on type internal.begun_run is 'The request of a run of a job, or the fact that the run has ended.';

-- One leased command, with everything that its run needs (internal.load_command).
create type internal.command_run as (
    worker_id     uuid,
    task_id       bigint,
    lease_no      integer,
    command       text,
    payload       jsonb,
    call          text,
    has_info      boolean,
    after_call    text,
    status_type   text,
    is_ended      boolean,
    has_merges    boolean,
    before_call   text,
    parent_id     bigint
);
comment on type internal.command_run is 'A leased command and the routines to call for it.';

-- A cron expression (internal.parse_cron).  A mask has one character for each value, from the smallest; 1: the value matches.
create type internal.cron as (
    seconds    text,
    minutes    text,
    hours      text,
    days       text,
    months     text,
    weekdays   text,
    nths       text,
    is_last    boolean,
    is_hourly  boolean,
    is_either  boolean
);
comment on type internal.cron is 'A cron expression as masks; is_last: the last day of the month, is_hourly: the hour follows real time, is_either: the day of month or the day of week.';

-- When a schedule fires (internal.next_slot): a cron expression, or an interval and its anchor.
create type internal.plan as (
    cron       internal.cron,
    every      interval,
    anchor     timestamptz,
    zone       text,
    starts_at  timestamptz,
    ends_at    timestamptz,
    excluded   date[]
);
comment on type internal.plan is 'The times of a schedule.';
-- Named secrets, for databases without Supabase's vault, under the same names.  The program seals the values with a key that is not
-- in the database.
do $do$
begin
    if exists (select 1 from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
               where n.nspname = 'vault' and c.relname in ('secrets', 'decrypted_secrets')) then
        return; -- Supabase's vault is used.
    end if;
    create table vault.secrets (
        id           uuid not null default gen_random_uuid(),
        name         text,
        description  text not null default '',
        secret       text not null,
        created_at   timestamptz not null default clock_timestamp(),
        updated_at   timestamptz not null default clock_timestamp(),
        constraint secrets_pkey primary key (id),
        constraint secrets_name_key unique (name)
    );
    create index secrets_unsealed_idx on vault.secrets (id) where secret not like 'reeve:v1:%';
    comment on table vault.secrets is 'Named secrets. No role but the owner reads them.';
    comment on column vault.secrets.secret is 'Sealed (reeve:v1:...); plain only until a worker with the key has sealed it.';
end
$do$;
-- Types of jobs and of their signatures.
create type pgqueue.job_type as enum ('GET', 'POST', 'DELETE', 'FUNC', 'PUT', 'PATCH');
comment on type pgqueue.job_type is 'The action of a job: a request with this method, or a call of a function.';
create type pgqueue.job_status as enum ('new', 'failed', 'processing', 'completed', 'redirected', 'server_error', 'too_many', 'other');
comment on type pgqueue.job_status is 'State of a job; new, failed and processing are open, the others final.';
create type pgqueue.signing_styles as enum ('HMAC', 'HMAC_WITH_PREFIX', 'STANDARD_WEBHOOKS');
comment on type pgqueue.signing_styles is 'Form of a signature.';
create type pgqueue.signing_algs as enum ('md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512');
comment on type pgqueue.signing_algs is 'Hash of a signature.';
create type pgqueue.signing_encs as enum ('hex', 'base64');
comment on type pgqueue.signing_encs is 'Encoding of the bytes of a signature.';
-- Fact: a job, from an insert into pgqueue.job_queue, a webhook, or an answer.  A null stands for the default.
create table pgqueue.job (
    job_id          bigint generated always as identity,
    job_uuid        uuid not null default gen_random_uuid(),
    created_at      timestamptz not null default now(),
    run_at          timestamptz not null default now(),
    job_type        pgqueue.job_type not null default 'POST',
    url             text not null,
    payload         jsonb,
    headers         jsonb,
    job_owner       text,
    has_token       boolean,
    has_secret      boolean,
    signing_vault   text,
    signing_header  text,
    signing_style   pgqueue.signing_styles,
    signing_alg     pgqueue.signing_algs,
    signing_enc     pgqueue.signing_encs,
    retry_limit     smallint,
    retry_5xx       boolean,
    timeout         interval,
    priority        bigint,
    parent_job_id   bigint,
    root_job_id     bigint,
    depth           smallint,
    webhook_id      bigint,
    constraint job_pkey primary key (job_id),
    constraint run_at_is_finite check (isfinite(run_at))
);
-- Counts the follow-up jobs under one root.
create index job_root_idx on pgqueue.job (root_job_id) where root_job_id is not null;
comment on table pgqueue.job is 'Jobs as they were requested. Read them through pgqueue.job_queue.';
comment on column pgqueue.job.job_uuid is 'Random public name: idempotency key and webhook-id of every run.';
comment on column pgqueue.job.has_token is 'True: a token was given by value (pgqueue.job_secret).';
comment on column pgqueue.job.has_secret is 'True: a signing secret was given by value.';
comment on column pgqueue.job.retry_limit is 'Failed runs before the job ends; null: 10.';
comment on column pgqueue.job.retry_5xx is 'Whether 502, 503 and 504 are retried; null: as the setting pgqueue_retry_5xx.';
comment on column pgqueue.job.timeout is 'Longest time of one run; null: as the setting pgqueue_timeout.';
comment on column pgqueue.job.root_job_id is 'First job of a chain of follow-up jobs; null: this is no follow-up job.';
comment on column pgqueue.job.depth is 'Distance from that root; null: 0.';
comment on column pgqueue.job.webhook_id is 'Webhook that made the job (pgqueue.webhook); null: none.';
-- Fact: one run of a job, which is one task.
create table pgqueue.job_run (
    job_id       bigint not null,
    job_run      integer not null,
    task_id      bigint not null,
    retry_count  integer not null,
    constraint job_run_pkey primary key (job_id, job_run)
);
comment on table pgqueue.job_run is 'The runs of each job, and the tasks that carry them out.';
comment on column pgqueue.job_run.job_run is '1, 2, 3 ... per job.';
comment on column pgqueue.job_run.retry_count is 'Failed runs before this one, since the job was last started from the beginning.';
-- Fact: the end of a job.  A job that was started again may have several; the one of the newest run counts.
create table pgqueue.job_ended (
    job_id            bigint not null,
    end_no            integer not null,
    ended_at          timestamptz not null,
    job_run           integer not null,
    retry_count       integer not null,
    job_status        pgqueue.job_status not null,
    response_status   smallint,
    response_content  text,
    response_headers  jsonb,
    constraint job_ended_pkey primary key (job_id, end_no)
);
-- Failures since a time, for pgqueue.replay_failed.
create index job_ended_failed_idx on pgqueue.job_ended (ended_at) where job_status in ('server_error', 'too_many', 'other');
comment on table pgqueue.job_ended is 'Ends of jobs.';
comment on column pgqueue.job_ended.job_run is 'Last run before this end. The job is open if there is a later run.';
comment on column pgqueue.job_ended.retry_count is 'All failed runs since the job was last started from the beginning.';
comment on column pgqueue.job_ended.response_status is '0: no answer; null: the job was not run.';
-- Secrets that were given by value, apart from all tables that others may read.  It is no fact: a row is removed when its job ends.
create table pgqueue.job_secret (
    job_id          bigint not null,
    job_jwt         text,
    jwt_expires_at  timestamptz,
    signing_secret  bytea,
    constraint job_secret_pkey primary key (job_id)
);
comment on table pgqueue.job_secret is 'Secrets of open jobs. No role but the owner reads them.';
comment on column pgqueue.job_secret.jwt_expires_at is 'End of the token, from the token itself; null: not given there.';
-- Fact: a run of a job failed, with the answer.
create table pgqueue.failed_log (
    id                bigint generated always as identity,
    job_id            bigint not null,
    created_at        timestamptz not null,
    job_run           integer not null,
    response_status   smallint,
    response_content  text,
    response_headers  jsonb,
    constraint failed_log_pkey primary key (id)
);
create index failed_log_job_idx on pgqueue.failed_log (job_id, job_run);
comment on table pgqueue.failed_log is 'Every failed run of every job.';
comment on column pgqueue.failed_log.response_status is '0: no answer; the content then has the reason.';
-- Row changes that are sent somewhere: made by pgqueue.create_webhook.  Secrets are apart.
create table pgqueue.webhook (
    webhook_id       bigint generated always as identity,
    name             text not null,
    table_schema     name not null,
    table_name       name not null,
    events           text[] not null,
    url              text not null,
    headers          jsonb,
    jwt_source       text,
    has_secret       boolean not null default false,
    signing_vault    text,
    signing_header   text,
    signing_style    pgqueue.signing_styles,
    signing_alg      pgqueue.signing_algs,
    signing_enc      pgqueue.signing_encs,
    columns          text[],
    changed_only     boolean not null default false,
    condition        text,
    key_columns      text[],
    retry_limit      smallint not null default 10,
    retry_5xx        boolean not null default true,
    enabled          boolean not null default true,
    disabled_reason  text,
    created_at       timestamptz not null,
    created_by       text not null,
    constraint webhook_pkey primary key (webhook_id),
    constraint webhook_name_key unique (name),
    constraint jwt_source_is_known check (jwt_source in ('value', 'from_session'))
);
comment on table pgqueue.webhook is 'Webhooks on tables. Read them through pgqueue.webhooks.';
comment on column pgqueue.webhook.table_name is 'As it was called when the webhook was made; payloads carry it.';
comment on column pgqueue.webhook.jwt_source is 'value: a token was given (pgqueue.webhook_secret). from_session: that of the session. Null: none.';
comment on column pgqueue.webhook.columns is 'Only these appear in records; null: all.';
comment on column pgqueue.webhook.changed_only is 'An update that changes none of the columns sends nothing.';
comment on column pgqueue.webhook.condition is 'Text of the condition of its triggers, for reading.';
comment on column pgqueue.webhook.key_columns is 'Primary key, for records that are too large.';
comment on column pgqueue.webhook.disabled_reason is 'Who or what switched it off.';
-- Secrets of webhooks that were given by value.
create table pgqueue.webhook_secret (
    webhook_id      bigint not null,
    jwt             text,
    signing_secret  bytea,
    constraint webhook_secret_pkey primary key (webhook_id)
);
comment on table pgqueue.webhook_secret is 'Secrets of webhooks. No role but the owner reads them.';
-- What one large statement changed: the user's transaction keeps the rows as they were, column by
-- column, and a worker makes the jobs.  Not a fact: a row goes when its jobs are there.
create table pgqueue.webhook_change (
    change_id     bigint generated always as identity,
    webhook_id    bigint,
    arguments     text[],
    table_schema  name not null,
    table_name    name not null,
    event         text not null,
    token         text,
    problem       text,
    time_zone     text not null,
    constraint webhook_change_pkey primary key (change_id)
);
comment on table pgqueue.webhook_change is 'Changes of large statements that are still to be made into jobs.';
comment on column pgqueue.webhook_change.webhook_id is 'Webhook of pgqueue.create_webhook; null: a trigger with arguments.';
comment on column pgqueue.webhook_change.token is 'Token of the session, where one is wanted.';
comment on column pgqueue.webhook_change.problem is 'Why its jobs cannot be sent; null: they can.';
comment on column pgqueue.webhook_change.time_zone is 'Of the session: times are written in it.';
-- One column of the rows of a large statement, in the order in which they were changed.  Values of
-- common types are kept as they are: to write 10,000 rows as JSON takes as long as to update them.
create table pgqueue.webhook_change_column (
    change_id    bigint not null,
    column_no    smallint not null,
    is_new       boolean not null,
    column_name  name not null,
    integers     bigint[],
    numerics     numeric[],
    texts        text[],
    times        timestamptz[],
    others       json,
    constraint webhook_change_column_pkey primary key (change_id, column_no, is_new)
);
-- Not compressed: that would take longer than everything else.
alter table pgqueue.webhook_change_column alter column integers set storage external, alter column numerics set storage external,
    alter column texts set storage external, alter column times set storage external, alter column others set storage external;
comment on table pgqueue.webhook_change_column is 'Columns of the rows of large statements.';
comment on column pgqueue.webhook_change_column.is_new is 'After the change, or before.';
comment on column pgqueue.webhook_change_column.others is 'An array, for all other types.';
-- Recurring work: when, what, and with whose rights.  A definition changes when somebody changes it, and the audit records that.
-- The state that changes with each slot is in queues.schedule_due.
create table queues.schedule (
    schedule_id           bigint generated always as identity,
    schedule_name         text not null,
    owner                 text not null,
    expression            text not null,
    cron                  internal.cron,
    every                 interval,
    anchor                timestamptz not null,
    zone                  text not null,
    starts_at             timestamptz,
    ends_at               timestamptz,
    excluded              date[],
    jitter                interval,
    random_jitter         interval,
    work                  text not null,
    target                text,
    payload               jsonb not null,
    queue                 text,
    priority              bigint,
    timeout               interval,
    max_attempts          smallint,
    backoff               jsonb,
    overlap               text not null,
    catch_up              text not null,
    catch_up_window       interval not null,
    pause_after_failures  integer,
    description           text,
    created_at            timestamptz not null,
    changed_at            timestamptz not null,
    paused_at             timestamptz,
    paused_by             text,
    pause_reason          text,
    constraint schedule_pkey primary key (schedule_id),
    constraint schedule_name_key unique (schedule_name)
);
comment on table queues.schedule is 'Recurring work: when, what, and with whose rights.';
comment on column queues.schedule.owner is 'Role that made or last changed the schedule; its rights are asked again at each fire.';
comment on column queues.schedule.expression is 'As it was given: a cron expression, or every and an interval.';
comment on column queues.schedule.cron is 'The expression as masks; null: the schedule has an interval.';
comment on column queues.schedule.every is 'Real time between two slots; null: the schedule has a cron expression.';
comment on column queues.schedule.anchor is 'Time from which the slots of an interval are counted.';
comment on column queues.schedule.zone is 'IANA name of the time zone of the expression.';
comment on column queues.schedule.starts_at is 'No slot is earlier; null: slots begin when the schedule is made.';
comment on column queues.schedule.ends_at is 'No slot is later; null: no end.';
comment on column queues.schedule.excluded is 'Dates of the zone that have no slot; null: none.';
comment on column queues.schedule.jitter is 'Each fire of the schedule is late by the same part of this time; null: none.';
comment on column queues.schedule.random_jitter is 'Each fire is late by a random part of this time; null: none.';
comment on column queues.schedule.work is 'task, command or job.';
comment on column queues.schedule.target is 'Task type, or name of the command; null for a job.';
comment on column queues.schedule.payload is 'Payload of the work; for a job the columns of pgqueue.job_queue.';
comment on column queues.schedule.overlap is 'If work of an earlier slot is open: skip, queue_one, cancel_running or allow.';
comment on column queues.schedule.catch_up is 'Slots that were missed: skip, once or all.';
comment on column queues.schedule.catch_up_window is 'Slots that were missed longer ago are never fired.';
comment on column queues.schedule.pause_after_failures is 'Failures in a row after which the schedule is paused; null: never.';
comment on column queues.schedule.paused_at is 'Start of the pause; null: not paused.';
-- Working set: one row per schedule, with the time of its next decision.  The row follows from the definition and the facts.
create table queues.schedule_due (
    schedule_id   bigint not null,
    fire_at       timestamptz not null,
    next_slot     timestamptz,
    decided_to    timestamptz not null,
    waiting_slot  timestamptz,
    open_tasks    bigint[],
    failures      integer not null default 0,
    refusals      integer not null default 0,
    skip_reason   text,
    skip_first    timestamptz,
    skip_last     timestamptz,
    skip_slots    bigint,
    skip_detail   text,
    constraint schedule_due_pkey primary key (schedule_id)
) with (
    autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.5
);
create index schedule_due_fire_idx on queues.schedule_due (fire_at);
comment on table queues.schedule_due is 'Working set: schedules with the time of their next decision.';
comment on column queues.schedule_due.fire_at is 'Time of the next decision; infinity: none, because of a pause or the end of the plan.';
comment on column queues.schedule_due.next_slot is 'Slot of the next decision; null: the plan has no further slot.';
comment on column queues.schedule_due.decided_to is 'Every slot up to this time has been decided.';
comment on column queues.schedule_due.waiting_slot is 'Slot that waits for the end of earlier work; null: none.';
comment on column queues.schedule_due.open_tasks is 'First tasks of fired slots whose work may be open; null: none.';
comment on column queues.schedule_due.failures is 'Fired slots in a row whose work failed or that were refused.';
comment on column queues.schedule_due.refusals is 'Slots in a row that were refused; they make the next decision wait.';
comment on column queues.schedule_due.skip_reason is 'Why the slots from skip_first to skip_last were not fired; null: the last slot was fired. This becomes a fact when a slot is fired or the reason changes.';
-- Fact: the decision about one slot that was fired, or about slots in a row that were not fired for one reason.
create table queues.schedule_fire (
    fire_id        bigint generated always as identity,
    schedule_id    bigint not null,
    schedule_name  text not null,
    decision       text not null,
    first_slot     timestamptz not null,
    last_slot      timestamptz not null,
    slots          bigint not null default 1,
    decided_at     timestamptz not null,
    task_id        bigint,
    late           interval,
    detail         text,
    constraint schedule_fire_pkey primary key (fire_id)
);
-- A slot is fired once.  The view of states reads the newest fires of a schedule here.
create unique index schedule_fire_slot_idx on queues.schedule_fire (schedule_id, first_slot) where task_id is not null;
comment on table queues.schedule_fire is 'Decisions about slots: one row per fired slot, and one for slots in a row that were not fired for one reason.';
comment on column queues.schedule_fire.decision is
    'Fired: on_time, late, queued, by_hand, backfill. Not fired: missed, expired, overlap, paused, refused, changed, removed.';
comment on column queues.schedule_fire.slots is 'Number of slots from first_slot to last_slot.';
comment on column queues.schedule_fire.task_id is 'First task of the work; null: not fired.';
comment on column queues.schedule_fire.late is 'Time from the slot, jitter included, to the decision; null: not fired.';
comment on column queues.schedule_fire.detail is 'Error of a slot that was refused, or reason of a pause; null: none.';
-- The roles whose rights may count while schedules start their work (internal.act_as).  The rows are inserted and deleted in one
-- function, so no other transaction ever sees them.  Only the owner can write them; anybody could set a setting.
create table internal.acting (
    xact   xid8 not null,
    role   name not null,
    actor  text,
    constraint acting_pkey primary key (xact, role)
);
comment on table internal.acting is 'The roles whose rights may count in a transaction that fires schedules.';
comment on column internal.acting.actor is 'Who is on record for what is done; null: the role.';
-- Fact: an act on many things was prepared.  A null filter does not filter.
create table queues.bulk_act (
    act_id      bigint generated always as identity,
    kind        text not null,
    outcome     text,
    type        text,
    queue       text,
    state       text,
    since       timestamptz,
    until       timestamptz,
    error_like  text,
    url         text,
    is_all      boolean not null default false,
    by_ids      boolean not null default false,
    reason      text,
    made_at     timestamptz not null,
    made_by     text not null,
    constraint bulk_act_pkey primary key (act_id),
    constraint kind_is_known check (kind in ('task_retry', 'task_cancel', 'process_revive', 'job_retry', 'job_cancel'))
);
comment on table queues.bulk_act is 'Acts on many tasks, processes or jobs, with the filter of each.';
comment on column queues.bulk_act.kind is 'task_retry, task_cancel, process_revive, job_retry or job_cancel.';
comment on column queues.bulk_act.outcome is 'Outcome of a task, reason of the end of a process, status of a job.';
comment on column queues.bulk_act.type is 'Task type, supervisor, or type of a job.';
comment on column queues.bulk_act.state is 'State of an open task, or status of an open job.';
comment on column queues.bulk_act.since is 'Ended at this time or later; of open things: enqueued.';
comment on column queues.bulk_act.until is 'Ended before this time; of open things: enqueued.';
comment on column queues.bulk_act.error_like is 'Pattern of LIKE for the last error, the message of the end, or the answer.';
comment on column queues.bulk_act.url is 'Beginning of the URL of a job.';
comment on column queues.bulk_act.is_all is 'True: no filter was meant.';
comment on column queues.bulk_act.by_ids is 'True: the ids were given, and nothing was searched.';
comment on column queues.bulk_act.reason is 'Reason of a cancel.';
comment on column queues.bulk_act.made_by is 'Login that made the preview.';
-- Fact: one bounded look for the things that the filter of an act finds, from the newest backwards.
create table queues.bulk_scan (
    act_id      bigint not null,
    scan_no     integer not null,
    scanned_at  timestamptz not null,
    scanned     bigint not null,
    found       bigint not null,
    oldest_id   bigint,
    oldest_at   timestamptz,
    is_end      boolean not null,
    constraint bulk_scan_pkey primary key (act_id, scan_no)
);
comment on table queues.bulk_scan is 'How far back the search of an act looked.';
comment on column queues.bulk_scan.scan_no is '1, 2, 3 ... per act.';
comment on column queues.bulk_scan.scanned is 'Things that were looked at.';
comment on column queues.bulk_scan.found is 'Things among them that the filter fits: these are in queues.bulk_target.';
comment on column queues.bulk_scan.oldest_id is 'Smallest id that was looked at; the next look goes on below it. Null: none.';
comment on column queues.bulk_scan.oldest_at is 'Time of that thing: its end, or its enqueue if it is open.';
comment on column queues.bulk_scan.is_end is 'True: there is nothing older.';
-- Fact: an act is to be done to this thing.  The rows are made by previews and stay as they are.
create table queues.bulk_target (
    act_id     bigint not null,
    target_id  bigint not null,
    constraint bulk_target_pkey primary key (act_id, target_id)
);
comment on table queues.bulk_target is 'The frozen ids of an act: what was counted is what is done.';
comment on column queues.bulk_target.target_id is 'Task, process or job, as the kind of the act says.';
-- Fact: an act was carried out for one of its ids, with the result.  It is written in the transaction that acts.  The primary key makes each id
-- happen once.
create table queues.bulk_done (
    act_id       bigint not null,
    target_id    bigint not null,
    done_at      timestamptz not null,
    result       text not null,
    new_task_id  bigint,
    message      text,
    constraint bulk_done_pkey primary key (act_id, target_id),
    constraint result_is_known check (result in ('done', 'skipped', 'refused'))
);
-- What did not go as asked, for people.
create index bulk_done_problem_idx on queues.bulk_done (act_id, target_id) where result <> 'done';
comment on table queues.bulk_done is 'Results of acts, one per id.';
comment on column queues.bulk_done.result is 'done; skipped: its state had changed since the preview; refused: the message says why.';
comment on column queues.bulk_done.new_task_id is 'Task that a retry or a revival made.';
-- Fact: a login began or went on with an act.  Each such row has an entry in the audit.
create table queues.bulk_started (
    act_id      bigint not null,
    started_by  text not null,
    started_at  timestamptz not null,
    constraint bulk_started_pkey primary key (act_id, started_by)
);
comment on table queues.bulk_started is 'Logins that carried out an act.';
-- Fact: somebody stopped an act for good.  Ids without a result stay without one.
create table queues.bulk_stopped (
    act_id      bigint not null,
    stopped_at  timestamptz not null,
    stopped_by  text not null,
    constraint bulk_stopped_pkey primary key (act_id)
);
comment on table queues.bulk_stopped is 'Acts that were stopped before their end.';
-- The task that carries an act out in the background, batch by batch: one task per act at a time, others do nothing.  It is no fact: each batch
-- that leaves something to do puts its successor here.
create table internal.bulk_carrier (
    act_id      bigint not null,
    task_id     bigint not null,
    role        name not null,
    actor       text not null,
    started_at  timestamptz not null,
    constraint bulk_carrier_pkey primary key (act_id)
);
comment on table internal.bulk_carrier is 'Tasks that carry acts out in the background.';
comment on column internal.bulk_carrier.task_id is 'The task whose run may do the next batch.';
comment on column internal.bulk_carrier.role is 'Role that started it: its rights count, asked again for each batch.';
comment on column internal.bulk_carrier.actor is 'Who started it, and is on record for what it does.';
-- The last counts of open work, for all who ask within the next seconds.  At most one row.  It is no fact: it can be made again at any time.
create table internal.kept_count (
    is_only     boolean not null default true,
    counted_at  timestamptz not null,
    took        interval not null,
    counts      jsonb not null,
    constraint kept_count_pkey primary key (is_only),
    constraint kept_count_has_one_row check (is_only)
);
comment on table internal.kept_count is 'The last counts of open work.';
comment on column internal.kept_count.counted_at is 'Time for which the counts are exact.';
comment on column internal.kept_count.took is 'How long the counting took; it is not repeated before 25 times as long.';
comment on column internal.kept_count.counts is 'Counts by queue; queues without open work are missing.';

-- Forms of the dashboard that were carried out, with their answer.  It is no fact: a row is removed after a day.
create table internal.act_key (
    act_key     uuid not null,
    act         text not null,
    actor       text not null,
    claimed_at  timestamptz not null,
    notice      text,
    path        text,
    constraint act_key_pkey primary key (act_key)
);
create index act_key_claimed_idx on internal.act_key (claimed_at);
comment on table internal.act_key is 'Forms of the dashboard that were carried out.';
comment on column internal.act_key.act is 'Address of the act, with a digest of the values of its form.';
comment on column internal.act_key.actor is 'Person who sent the form.';
comment on column internal.act_key.notice is 'Answer that the person was shown.';
comment on column internal.act_key.path is 'Page that the person was sent to; null: back.';
-- module: comms
-- Types of messages.
create type comms.channel as enum ('email', 'sms');
comment on type comms.channel is 'How a message travels: email or sms.';
-- One message to one recipient; its text is in the table of its channel.
create table comms.message (
    message_id  bigint generated always as identity,
    channel     comms.channel not null,
    created_at  timestamptz not null default now(),
    constraint message_pkey primary key (message_id)
);
comment on table comms.message is 'Messages; the content is in comms.email_message or comms.sms_message.';
comment on column comms.message.channel is 'How it travels.';
-- What an e-mail says, and to whom.
create table comms.email_message (
    message_id    bigint not null,
    from_address  text not null,
    to_address    text not null,
    subject       text not null,
    html          text not null,
    constraint email_message_pkey primary key (message_id),
    constraint email_message_message_fkey foreign key (message_id) references comms.message
);
comment on table comms.email_message is 'E-mails: content of messages of channel email.';
-- What a text message says, and to whom.
create table comms.sms_message (
    message_id  bigint not null,
    to_number   text not null,
    body        text not null,
    constraint sms_message_pkey primary key (message_id),
    constraint sms_message_message_fkey foreign key (message_id) references comms.message
);
comment on table comms.sms_message is 'Text messages: content of messages of channel sms.';
-- Texts of e-mails with ${key} in the places that differ (comms.render_email_template).
create table comms.email_template (
    email_template_id  bigint generated always as identity,
    template_key       text not null,
    subject            text not null,
    body               text not null,
    body_params        text[] not null default '{}',
    description        text,
    created_at         timestamptz not null default now(),
    constraint email_template_pkey primary key (email_template_id),
    constraint email_template_template_key_key unique (template_key)
);
comment on table comms.email_template is 'Texts of e-mails with ${key} in the places that differ.';
comment on column comms.email_template.template_key is 'Name by which it is rendered.';
comment on column comms.email_template.body_params is 'Keys that are replaced, in subject and body; every other ${key} stays as it is.';
-- Texts of text messages with ${key} in the places that differ (comms.render_sms_template).
create table comms.sms_template (
    sms_template_id  bigint generated always as identity,
    template_key     text not null,
    body             text not null,
    body_params      text[] not null default '{}',
    description      text,
    created_at       timestamptz not null default now(),
    constraint sms_template_pkey primary key (sms_template_id),
    constraint sms_template_template_key_key unique (template_key)
);
comment on table comms.sms_template is 'Texts of text messages with ${key} in the places that differ.';
comment on column comms.sms_template.template_key is 'Name by which it is rendered.';
comment on column comms.sms_template.body_params is 'Keys that are replaced; every other ${key} stays as it is.';
-- Fact: an e-mail is to be sent.  The root of one supervised process; at most one per message.
create table comms.send_email_task (
    send_email_task_id  bigint generated always as identity,
    message_id          bigint not null,
    created_at          timestamptz not null default now(),
    task_uuid           uuid not null default gen_random_uuid(),
    constraint send_email_task_pkey primary key (send_email_task_id),
    constraint send_email_task_message_id_key unique (message_id),
    constraint send_email_task_message_fkey foreign key (message_id) references comms.message
);
comment on table comms.send_email_task is 'E-mails that are to be sent: roots of comms.send_email_supervisor.';
comment on column comms.send_email_task.task_uuid is 'Random name of the logical send: every attempt carries it as idempotency key.';
-- Fact: one try to send an e-mail, and the task that carries it out.
create table comms.send_email_attempt (
    send_email_attempt_id  bigint generated always as identity,
    send_email_task_id     bigint not null,
    created_at             timestamptz not null default now(),
    task_id                bigint not null,
    constraint send_email_attempt_pkey primary key (send_email_attempt_id),
    constraint send_email_attempt_task_fkey foreign key (send_email_task_id) references comms.send_email_task
);
create index send_email_attempt_task_idx on comms.send_email_attempt (send_email_task_id);
comment on table comms.send_email_attempt is 'Tries to send an e-mail.';
comment on column comms.send_email_attempt.task_id is 'Task of the engine that carries it out (queues.task; no foreign key: old tasks are removed).';
-- Fact: the provider has accepted an e-mail.  An attempt has this or a failure, never both.
create table comms.send_email_attempt_succeeded (
    send_email_attempt_id  bigint not null,
    created_at             timestamptz not null default now(),
    provider_id            text,
    constraint send_email_attempt_succeeded_pkey primary key (send_email_attempt_id),
    constraint send_email_attempt_succeeded_attempt_fkey foreign key (send_email_attempt_id) references comms.send_email_attempt
);
comment on table comms.send_email_attempt_succeeded is 'Attempts that the provider accepted.';
comment on column comms.send_email_attempt_succeeded.provider_id is 'What the provider calls the message; null: it did not say.';
-- Fact: an attempt to send an e-mail has failed.  An attempt has this or a success, never both.
create table comms.send_email_attempt_failed (
    send_email_attempt_id  bigint not null,
    error_message          text not null,
    created_at             timestamptz not null default now(),
    in_doubt               boolean not null default false,
    error_class            text,
    constraint send_email_attempt_failed_pkey primary key (send_email_attempt_id),
    constraint send_email_attempt_failed_attempt_fkey foreign key (send_email_attempt_id) references comms.send_email_attempt
);
comment on table comms.send_email_attempt_failed is 'Attempts that failed, were lost, or are in doubt.';
comment on column comms.send_email_attempt_failed.in_doubt is 'True: it may have been sent all the same.';
comment on column comms.send_email_attempt_failed.error_class is
    'payload, policy, network, refused, rate_limited, server, in_doubt or handler; null: not known.';
-- Fact: a text message is to be sent.  The root of one supervised process; at most one per message.
create table comms.send_sms_task (
    send_sms_task_id  bigint generated always as identity,
    message_id        bigint not null,
    created_at        timestamptz not null default now(),
    task_uuid         uuid not null default gen_random_uuid(),
    constraint send_sms_task_pkey primary key (send_sms_task_id),
    constraint send_sms_task_message_id_key unique (message_id),
    constraint send_sms_task_message_fkey foreign key (message_id) references comms.message
);
comment on table comms.send_sms_task is 'Text messages that are to be sent: roots of comms.send_sms_supervisor.';
comment on column comms.send_sms_task.task_uuid is 'Random name of the logical send: every attempt carries it as idempotency key.';
-- Fact: one try to send a text message, and the task that carries it out.
create table comms.send_sms_attempt (
    send_sms_attempt_id  bigint generated always as identity,
    send_sms_task_id     bigint not null,
    created_at           timestamptz not null default now(),
    task_id              bigint not null,
    constraint send_sms_attempt_pkey primary key (send_sms_attempt_id),
    constraint send_sms_attempt_task_fkey foreign key (send_sms_task_id) references comms.send_sms_task
);
create index send_sms_attempt_task_idx on comms.send_sms_attempt (send_sms_task_id);
comment on table comms.send_sms_attempt is 'Tries to send a text message.';
comment on column comms.send_sms_attempt.task_id is 'Task of the engine that carries it out (queues.task; no foreign key: old tasks are removed).';
-- Fact: the provider has accepted a text message.  An attempt has this or a failure, never both.
create table comms.send_sms_attempt_succeeded (
    send_sms_attempt_id  bigint not null,
    created_at           timestamptz not null default now(),
    provider_id          text,
    constraint send_sms_attempt_succeeded_pkey primary key (send_sms_attempt_id),
    constraint send_sms_attempt_succeeded_attempt_fkey foreign key (send_sms_attempt_id) references comms.send_sms_attempt
);
comment on table comms.send_sms_attempt_succeeded is 'Attempts that the provider accepted.';
comment on column comms.send_sms_attempt_succeeded.provider_id is 'What the provider calls the message; null: it did not say.';
-- Fact: an attempt to send a text message has failed.  An attempt has this or a success, never both.
create table comms.send_sms_attempt_failed (
    send_sms_attempt_id  bigint not null,
    error_message        text not null,
    created_at           timestamptz not null default now(),
    in_doubt             boolean not null default false,
    error_class          text,
    constraint send_sms_attempt_failed_pkey primary key (send_sms_attempt_id),
    constraint send_sms_attempt_failed_attempt_fkey foreign key (send_sms_attempt_id) references comms.send_sms_attempt
);
comment on table comms.send_sms_attempt_failed is 'Attempts that failed, were lost, or are in doubt.';
comment on column comms.send_sms_attempt_failed.in_doubt is 'True: it may have been sent all the same.';
comment on column comms.send_sms_attempt_failed.error_class is
    'payload, policy, network, refused, rate_limited, server, in_doubt or handler; null: not known.';
-- end of module
-- module: files
-- A stored object of the application; the files service has its bytes.
create table files.file (
    file_id     bigint generated always as identity,
    bucket      text not null,
    object_key  text not null,
    mime_type   text,
    created_at  timestamptz not null default now(),
    constraint file_pkey primary key (file_id),
    constraint file_object_key_key unique (object_key)
);
comment on table files.file is 'Files that are stored outside; a row is kept when its file is deleted (files.file_metadata).';
-- Attributes of a file, key by key; the only table of this module whose rows change.
create table files.file_metadata (
    file_metadata_id  bigint generated always as identity,
    file_id           bigint not null,
    key               text not null,
    value             jsonb not null,
    created_at        timestamptz not null default now(),
    constraint file_metadata_pkey primary key (file_metadata_id),
    constraint file_metadata_file_id_key_key unique (file_id, key),
    constraint file_metadata_file_fkey foreign key (file_id) references files.file
);
comment on table files.file_metadata is 'Attributes of files.';
comment on column files.file_metadata.key is 'name, duration, deleted (true: the object is gone), or a key of the application.';
-- Fact: a file is to be deleted.  It is the root of one supervised process; a file whose deletion got stuck may have several.
create table files.file_deletion_task (
    file_deletion_task_id  bigint generated always as identity,
    file_id                bigint not null,
    created_at             timestamptz not null default now(),
    task_uuid              uuid not null default gen_random_uuid(),
    constraint file_deletion_task_pkey primary key (file_deletion_task_id),
    constraint file_deletion_task_file_fkey foreign key (file_id) references files.file
);
create index file_deletion_task_file_idx on files.file_deletion_task (file_id, file_deletion_task_id);
comment on table files.file_deletion_task is 'Files that are to be deleted: roots of files.file_deletion_supervisor.';
comment on column files.file_deletion_task.task_uuid is 'Random public name of the deletion.';
-- Fact: one attempt to delete a file, and its task.
create table files.file_deletion_attempt (
    file_deletion_attempt_id  bigint generated always as identity,
    file_deletion_task_id     bigint not null,
    created_at                timestamptz not null default now(),
    task_id                   bigint not null,
    constraint file_deletion_attempt_pkey primary key (file_deletion_attempt_id),
    constraint file_deletion_attempt_task_fkey foreign key (file_deletion_task_id) references files.file_deletion_task
);
create index file_deletion_attempt_task_idx on files.file_deletion_attempt (file_deletion_task_id);
comment on table files.file_deletion_attempt is 'Attempts to delete a file.';
comment on column files.file_deletion_attempt.task_id is 'Task of the attempt (queues.task; no foreign key: old tasks are removed).';
-- Fact: a file was deleted.  An attempt has this or a failure, never both.
create table files.file_deletion_attempt_succeeded (
    file_deletion_attempt_id  bigint not null,
    created_at                timestamptz not null default now(),
    constraint file_deletion_attempt_succeeded_pkey primary key (file_deletion_attempt_id),
    constraint file_deletion_attempt_succeeded_attempt_fkey foreign key (file_deletion_attempt_id)
        references files.file_deletion_attempt
);
comment on table files.file_deletion_attempt_succeeded is 'Attempts after which the file was gone.';
-- Fact: an attempt to delete a file has failed.  An attempt has this or a success, never both.
create table files.file_deletion_attempt_failed (
    file_deletion_attempt_id  bigint not null,
    error_message             text not null,
    created_at                timestamptz not null default now(),
    in_doubt                  boolean not null default false,
    error_class               text,
    constraint file_deletion_attempt_failed_pkey primary key (file_deletion_attempt_id),
    constraint file_deletion_attempt_failed_attempt_fkey foreign key (file_deletion_attempt_id)
        references files.file_deletion_attempt
);
comment on table files.file_deletion_attempt_failed is 'Attempts that failed or were lost.';
comment on column files.file_deletion_attempt_failed.in_doubt is 'True: the file may nevertheless be deleted.';
comment on column files.file_deletion_attempt_failed.error_class is
    'payload, policy, network, refused, rate_limited, server, in_doubt or handler; null: not known.';
-- end of module
