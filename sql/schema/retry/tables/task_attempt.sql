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
