-- queues.top_failures()
-- The last 50 errors of tasks, newest first, for a screen.  An error message may repeat data: a role that may not see payloads
-- gets the source and the SQLSTATE only.  `outcome` is null while the task is open.  It reads two indexes from their ends.
create or replace function queues.top_failures()
    returns table (task_id bigint, age_s double precision, task_type text, queue text, outcome text, error text)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
as $$
declare
    _now constant timestamptz := clock_timestamp();
    _sees_texts constant boolean := internal.is_operator();
begin
    return query
        select e.task_id, extract(epoch from _now - e.created_at)::double precision, t.task_type::text, t.queue, c.outcome,
               case when _sees_texts then left(e.error_message, 200) else concat_ws(' ', coalesce(e.source, 'error'), e.sqlstate) end
        from (select x.error_id, x.task_id, x.created_at, x.error_message, x.source, x.sqlstate
              from queues.error as x order by x.error_id desc limit 50) as e
        join queues.task as t on t.task_id = e.task_id
        left join queues.task_completed as c on c.task_id = e.task_id
        order by e.error_id desc;
end
$$;
comment on function queues.top_failures() is 'The last errors of tasks, for a screen.';
