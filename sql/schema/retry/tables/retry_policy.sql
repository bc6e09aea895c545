-- Default policies of retries: one row per task type or function.  A task that fails looks here if it names no policy itself.
create table queues.retry_policy (
    scope           text not null,
    name            text not null,
    max_attempts    smallint,
    backoff         jsonb,
    final_statuses  text[],
    constraint retry_policy_pkey primary key (scope, name),
    constraint scope_is_known check (scope in ('type', 'function'))
);
comment on table queues.retry_policy is 'Default policies of retries, by task type and by function.';
comment on column queues.retry_policy.scope is 'type or function.';
comment on column queues.retry_policy.name is 'Task type, or function as schema.name.';
comment on column queues.retry_policy.max_attempts is 'Attempts in all, with the first; null: this row does not say.';
comment on column queues.retry_policy.backoff is 'Waits between the attempts, as internal.checked_backoff returns them; null: this row does not say.';
comment on column queues.retry_policy.final_statuses is 'Statuses after which a task is not retried; null: none.';
