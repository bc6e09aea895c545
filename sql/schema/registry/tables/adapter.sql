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
