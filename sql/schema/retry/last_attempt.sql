-- internal.last_attempt(_task_id)
-- The newest attempt of the chain that a task belongs to; the task itself if it was never retried by a policy.
create or replace function internal.last_attempt(_task_id bigint) returns bigint
    language sql stable
    set search_path = pg_catalog, pg_temp
as $$
    select coalesce((select n.task_id from queues.task_attempt as n
                     where n.chain_id = (select a.chain_id from queues.task_attempt as a where a.task_id = _task_id)
                     order by n.attempt desc limit 1), _task_id)
$$;
comment on function internal.last_attempt(bigint) is 'Newest attempt of the chain of a task.';
