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
