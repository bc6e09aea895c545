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
