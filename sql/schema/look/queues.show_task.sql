-- queues.show_task(_task_id)
-- One task as queues.task_state shows it, found by keys; null: there is no such task.  Payload, result and texts of errors are for operators.
create or replace function queues.show_task(_task_id bigint) returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
    _sees_texts constant boolean := internal.is_operator();
begin
    return (
        select to_jsonb(x.*)
        from (select t.task_id, t.task_type, t.queue, p.priority, t.enqueued_at, t.scheduled_at, p.state, p.available_at,
                     (select min(l.leased_at) from queues.task_lease as l where l.task_id = t.task_id) as dequeued_at,
                     coalesce(c.lease_no, p.lease_no) as lease_no, p.expires_at, c.outcome, coalesce(c.status, c.outcome) as status, c.started_at, c.completed_at,
                     (select case when _sees_texts then e.error_message else concat_ws(' ', coalesce(e.source, 'error'), e.sqlstate) end
                      from queues.error as e where e.task_id = t.task_id order by e.error_id desc limit 1) as last_error,
                     t.process_id, coalesce(t.is_supervisor_run, false) as is_supervisor_run, t.parent_id, t.origin_task_id, t.retry_of,
                     case when _sees_texts then t.payload end as payload, case when _sees_texts then c.result end as result
              from queues.task as t
              cross join lateral (select y.* from internal.task_places(array[t.task_id]) as y) as p
              left join queues.task_completed as c on c.task_id = t.task_id
              where t.task_id = _task_id) as x);
end
$$;
comment on function queues.show_task(bigint) is 'One task as queues.task_state shows it.';
