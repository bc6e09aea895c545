-- internal.command_rows(_ids)
-- Commands as worker.tasks shows them, newest first, each found by keys; the view would look through all waiting tasks.  Texts of
-- errors are for operators.
create or replace function internal.command_rows(_ids bigint[]) returns jsonb
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
as $$
declare
    _sees_texts constant boolean := internal.is_operator();
begin
    return (
        select coalesce(jsonb_agg(to_jsonb(x.*) order by x.id desc), '[]')
        from (select t.task_id as id, t.payload->>'command' as command,
                     case when c.outcome in ('succeeded', 'non_success', 'superseded') then 'completed' when c.task_id is not null then 'failed'
                          when p.state in ('running', 'executing') then 'processing' when p.state in ('waiting', 'handler_pending') then 'waiting'
                          when p.lease_no > 0 and (select e.how in ('expired', 'abandoned') from queues.task_lease_ended as e
                               where e.task_id = t.task_id and e.lease_no = p.lease_no) then 'interrupted' else 'pending' end as state,
                     t.queue, p.priority, t.parent_id, t.enqueued_at as created_at, c.completed_at,
                     round(extract(epoch from coalesce((select d.done_at - d.started_at from worker.handler_done as d where d.task_id = t.task_id),
                                                       c.completed_at - c.started_at))::numeric * 1000, 3) as duration_ms,
                     case when c.outcome not in ('succeeded', 'non_success', 'superseded') then coalesce(
                         (select case when _sees_texts then e.error_message else concat_ws(' ', coalesce(e.source, 'error'), e.sqlstate) end
                          from queues.error as e where e.task_id = t.task_id and e.source is distinct from 'after_procedure' order by e.error_id desc limit 1),
                         c.outcome) end as error
              from internal.task_places(_ids) as p
              cross join lateral (select y.* from queues.task as y where y.task_id = p.task_id and y.task_type = 'command' offset 0) as t
              left join queues.task_completed as c on c.task_id = p.task_id) as x);
end
$$;
comment on function internal.command_rows(bigint[]) is 'Rows of a list of commands.';
