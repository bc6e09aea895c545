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
