-- 0006_commands: registry of commands, merging without locks, parents and children.
-- Locks: ready, running, task and task_completed exclusively while their indexes are made (task and
-- task_completed: seconds per million rows); the rest are new objects.
-- Working set, third part: what was merged into a waiting task and no run has taken yet.
-- Enqueuers only insert here; the row of the waiting task is neither locked nor changed, so
-- no enqueuer waits for another and an open transaction delays nobody.  The run of the task
-- takes what is committed by then; what commits later is given a new task by a claim
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
comment on table queues.merging is 'What was merged into waiting tasks and no run has taken yet.';
comment on column queues.merging.payload is 'The payload that came in, complete: it may become a task of its own.';
comment on column queues.merging.available_at is 'When it was to run.';
comment on column queues.merging.is_urgent is 'True: earlier or more urgent than the waiting task, which the next claim moves.';
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
-- Types of commands.

-- How the children of a parent run.
create type worker.child_mode as enum ('concurrent', 'serial');
comment on type worker.child_mode is 'concurrent: as many at once as limits allow. serial: one, with its whole subtree, after the other.';
-- Which commands exist: the procedure of each, its queue, its hooks, and what becomes of
-- duplicates.  A row is the first key for its procedures, EXECUTE of the worker the second.
-- The columns that end in _call are written by a trigger from the server's catalog.
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
comment on column worker.command_registry.after_procedure is 'Runs when the command has ended, its children included; null: none.';
comment on column worker.command_registry.queue is 'Queue of its tasks.';
comment on column worker.command_registry.dedup_keys is
    'Payload keys that make two enqueues the same; empty: one waiting task per command; null: never the same.';
comment on column worker.command_registry.dedup_policy is 'What a duplicate does to the waiting task: skip, merge, replace or error.';
comment on column worker.command_registry.merge_rules is
    'Per payload key keep, replace, union, range_union[:type], least, greatest or sum; "*" for the others (replace).';
comment on column worker.command_registry.merge_function is '(old jsonb, new jsonb) returning jsonb; wins over the rules.';
comment on column worker.command_registry.timeout is 'How long one run may take; null: as the type command.';
comment on column worker.command_registry.max_crashes is 'Leases that may die before quarantine; null: as the type command.';
comment on column worker.command_registry.enqueuers is 'Roles that may enqueue it; null: every enqueuer.';
comment on column worker.command_registry.status_type is 'Told on channel worker_status when a task begins and ends; null: not told.';
comment on column worker.command_registry.handler_call is 'The call, from the catalog; never user text.';
-- Fact: this task has children, and how they run.  Written by the first spawn.  Whoever ends
-- a child, adds one or ends the parent locks this row first, so none of them can miss
-- another; it is never the row that a run holds.
create table worker.task_parent (
    task_id     bigint not null,
    child_mode  worker.child_mode not null,
    created_at  timestamptz not null,
    constraint task_parent_pkey primary key (task_id)
);
comment on table worker.task_parent is 'Tasks that have children.';
comment on column worker.task_parent.child_mode is 'Whether the children run side by side or one after the other.';
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
comment on column worker.handler_done.info is 'What the handler itself gave; that of the children is added at the end.';
comment on column worker.handler_done.started_at is 'When the handler began.';
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
    merge_call   text
);
comment on type internal.command_task is 'A task of a command, to be added.';

-- One leased command, as its run needs it (internal.begin_execute to internal.run_command).
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
comment on type internal.command_run is 'A leased command and what is to be called for it.';

alter type internal.lane add attribute only_top boolean;
alter type internal.finish_step add attribute command text;

-- Children are looked for from the end.
drop index queues.ready_parent_idx;
create index ready_parent_idx on queues.ready (parent_id, task_id) where parent_id is not null;
drop index queues.running_parent_idx;
create index running_parent_idx on queues.running (parent_id, task_id) where parent_id is not null;
-- Commands by name, and failures, however much other history there is.
create index task_command_idx on queues.task ((payload->>'command'), task_id) where task_type = 'command';
-- How common each command is: the newest of a common one are found from the end, all of a rare
-- one by its name.  Servers before 14 know no such statistics, and the index has none of its own.
do $$
begin
    if current_setting('server_version_num')::integer >= 140000 then
        execute 'create statistics queues.task_command_stat on (payload->>''command'') from queues.task';
        execute 'comment on statistics queues.task_command_stat is ''How common each command is.''';
    end if;
end
$$;
create index task_completed_failed_idx on queues.task_completed (task_id)
    where outcome in ('failed', 'cancelled', 'quarantined', 'in_doubt');

-- Functions whose arguments or results changed; they are made again after the migrations.
drop view if exists internal.expected_ready, internal.expected_running, internal.open_task;
drop function if exists internal.begin_execute(uuid, bigint[], integer[]);
drop function if exists internal.queue_room(integer, integer, integer, integer);
drop function if exists internal.has_room(integer, bigint, "char", boolean);
drop function if exists internal.lease_next(uuid, text, bigint, boolean, timestamptz);
drop function if exists internal.tree_qualifies(bigint, timestamptz, timestamptz);
