-- internal.is_repeated(_task_id)
-- Is this task a second or later attempt?  Its wait comes from its policy, and a merge does not shorten it.
create or replace function internal.is_repeated(_task_id bigint) returns boolean
    language sql stable
    set search_path = pg_catalog, pg_temp
as $$
    select exists (select 1 from queues.task_attempt as a where a.task_id = _task_id and a.attempt > 1)
$$;
comment on function internal.is_repeated(bigint) is 'Whether a task is a second or later attempt.';
