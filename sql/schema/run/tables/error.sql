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
