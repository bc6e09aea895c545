-- internal.task_rows(_ids)
-- Rows of a list of tasks, newest first, without payloads.  The text of an error may repeat data: it is for operators.
create or replace function internal.task_rows(_ids bigint[]) returns jsonb
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
as $$
declare
    _sees_texts constant boolean := internal.is_operator();
begin
    return (
        select coalesce(jsonb_agg(to_jsonb(x.*) order by x.task_id desc), '[]')
        from (select p.task_id, t.task_type, t.queue, p.priority, p.state, coalesce(c.status, c.outcome) as status, t.scheduled_at, c.completed_at,
                     (select case when _sees_texts then e.error_message else concat_ws(' ', coalesce(e.source, 'error'), e.sqlstate) end
                      from queues.error as e where e.task_id = p.task_id order by e.error_id desc limit 1) as last_error
              from internal.task_places(_ids) as p
              cross join lateral (select y.task_type, y.queue, y.scheduled_at from queues.task as y where y.task_id = p.task_id offset 0) as t
              left join queues.task_completed as c on c.task_id = p.task_id) as x);
end
$$;
comment on function internal.task_rows(bigint[]) is 'Rows of a list of tasks.';
