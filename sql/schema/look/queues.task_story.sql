-- queues.task_story(_task_id)
-- The history of a task, and of all attempts of its chain, in the order of time: one row per fact.  Texts that may repeat data are for operators.
create or replace function queues.task_story(_task_id bigint) returns table (attempt integer, task_id bigint, at timestamptz, event text, detail text)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
    _sees_texts constant boolean := internal.is_operator();
    _chain_id constant bigint := (select a.chain_id from queues.task_attempt as a where a.task_id = _task_id);
    _ids bigint[] := array(select a.task_id from queues.task_attempt as a where a.chain_id = _chain_id);
begin
    if _chain_id is null then
        _ids := array[_task_id];
    end if;
    return query
        select (select a.attempt::integer from queues.task_attempt as a where a.task_id = s.task_id), s.task_id, s.at, s.event, s.detail
        from (
            select t.task_id, t.enqueued_at as at, 0 as nth, 'enqueued' as event,
                   format('%s in queue %s, priority %s, not before %s', t.task_type, t.queue, t.priority, t.scheduled_at) || coalesce(', retry of task ' || t.retry_of, '')
                   || coalesce(', by task ' || t.origin_task_id, '') || coalesce(', process ' || t.process_id, '') as detail
            from queues.task as t where t.task_id = any(_ids)
            union all
            select c.task_id, c.changed_at, 1, c.reason, format('available at %s, by %s', c.available_at, c.changed_by) from queues.task_changed as c where c.task_id = any(_ids)
            union all
            select l.task_id, l.leased_at, 2, 'lease ' || l.lease_no, format('until %s, by %s%s', l.expires_at, h.leased_by, coalesce(', worker ' || h.worker_id, ''))
            from queues.task_lease as l left join queues.holder as h on h.holder_id = l.holder_id where l.task_id = any(_ids)
            union all
            select r.task_id, r.renewed_at, 3, 'lease ' || r.lease_no || ' renewed', format('until %s', r.expires_at) from queues.task_lease_renewed as r where r.task_id = any(_ids)
            union all
            select d.task_id, d.dispatched_at, 4, 'dispatched', format('lease %s, %s%s', d.lease_no, d.adapter, case when _sees_texts then ', key ' || d.idempotency_key end)
            from queues.task_dispatched as d where d.task_id = any(_ids)
            union all
            select p.task_id, p.reported_at, 4, 'progress', case when _sees_texts then left(p.progress::text, 200) end from queues.task_progress as p where p.task_id = any(_ids)
            union all
            select e.task_id, e.created_at, 5, 'error', coalesce(e.source, 'client') || coalesce(' ' || e.sqlstate, '') || case when _sees_texts then ': ' || e.error_message else '' end
            from queues.error as e where e.task_id = any(_ids)
            union all
            select e.task_id, e.ended_at, 6, 'lease ' || e.lease_no || ' ' || e.how, format('again at %s', e.retry_at) || case when _sees_texts then coalesce(', ' || e.error_message, '') else '' end
            from queues.task_lease_ended as e where e.task_id = any(_ids)
            union all
            select r.task_id, r.requested_at, 6, 'cancel requested', format('by %s%s', r.requested_by, case when _sees_texts then ': ' || r.reason end)
            from queues.task_cancel_requested as r where r.task_id = any(_ids)
            union all
            select r.task_id, r.received_at, 7, 'late result', format('lease %s, %s', r.lease_no, r.outcome) from queues.late_result as r where r.task_id = any(_ids)
            union all
            select c.task_id, c.completed_at, 8, 'completed', c.outcome || coalesce(', status ' || c.status, '') || coalesce(', lease ' || c.lease_no, '')
                   || coalesce(', by ' || c.completed_by, '')
            from queues.task_completed as c where c.task_id = any(_ids)) as s
        order by s.at, s.task_id, s.nth;
end
$$;
comment on function queues.task_story(bigint) is 'The history of a task and of all its attempts.';
