-- internal.add_policy(_task_id, _max_attempts, _backoff)
-- Records the policy that the enqueuer of a task names: the task is the first attempt of its chain.
create or replace function internal.add_policy(_task_id bigint, _max_attempts smallint, _backoff jsonb) returns void
    language sql volatile
    set search_path = pg_catalog, pg_temp
as $$
    insert into queues.task_attempt (chain_id, attempt, task_id, max_attempts, backoff) values (_task_id, 1, _task_id, _max_attempts, _backoff)
$$;
comment on function internal.add_policy(bigint, smallint, jsonb) is 'Records the policy that a task names.';
