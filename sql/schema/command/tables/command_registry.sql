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
