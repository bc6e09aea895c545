-- queues.metrics()
-- Figures of the whole database, one row each: the name of a metric (docs/observability.md), the value of its label, if it has
-- one, and the figure.  `reeve metrics` exports them; a new figure is a branch here and a row of its table of metrics.
-- The age of snapshots is not among them: `reeve metrics` asks for it with the rights of its login, since this function's owner
-- does not see the sessions of others.
-- It reads the working set, and of history only what an index finds: failures that need a person.
create or replace function queues.metrics() returns table (metric text, label text, value double precision)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
as $$
declare
    _now constant timestamptz := clock_timestamp();
begin
    return query
        select f.metric, s.queue, f.value
        from queues.queue_state as s
        cross join lateral (values
            ('reeve_queue_ready', s.ready::double precision), ('reeve_queue_scheduled', s.scheduled),
            ('reeve_queue_running', s.running), ('reeve_queue_handler_pending', s.handler_pending),
            ('reeve_queue_waiting', s.waiting), ('reeve_queue_paused', s.paused::integer),
            ('reeve_queue_oldest_ready_seconds', greatest(coalesce(extract(epoch from _now - s.oldest_ready), 0), 0)::double precision)
        ) as f(metric, value);
    return query
        select case o.outcome when 'in_doubt' then 'reeve_in_doubt' else 'reeve_quarantined' end, null::text, n.found
        from (values ('in_doubt'), ('quarantined')) as o(outcome)
        cross join lateral (
            select count(*)::double precision as found
            from (select 1 from queues.task_completed as c
                  where c.outcome = o.outcome and c.outcome in ('in_doubt', 'quarantined')
                    and (select true from queues.task as t where t.retry_of = c.task_id limit 1) is null
                    -- A process that was revived has a later run.
                    and (select true from queues.task as t join queues.task as n on n.process_id = t.process_id and n.task_id > t.task_id
                         where t.task_id = c.task_id and t.is_supervisor_run and n.is_supervisor_run limit 1) is null
                  limit 10000) as x) as n;
    return query
        select 'reeve_processes_at_dead_end', null::text, count(*)::double precision
        from queues.process_ended as e
        where e.reason in ('supervisor_failed', 'run_limit', 'quarantined') and e.ended_at > _now - interval '7 days'
          and not internal.is_live(e.process_id)
          and e.run_no = (select coalesce(max(r.run_no), 0) from queues.process_run as r where r.process_id = e.process_id);
    return query
        select 'reeve_expired_leases', null::text, count(*)::double precision
        from queues.running as r where r.expires_at < _now - interval '1 minute' and not internal.is_executing(r.task_id);
    return query
        select 'reeve_workers', s.state, count(w.worker_id)::double precision
        from (values ('live', interval '0', interval '1 minute'), ('silent', interval '1 minute', interval '1 day')) as s(state, low, high)
        -- A worker that stops removes its sign of life.
        left join queues.worker_seen as w on w.seen_at <= _now - s.low and w.seen_at > _now - s.high
        group by s.state;
    return query
        select 'reeve_unserved_types', null::text, count(*)::double precision
        from (select distinct r.type_id from queues.ready as r) as r
        join queues.registered_task_type as t on t.type_id = r.type_id
        where not internal.is_served(t.task_type, null);
    return query
        select 'reeve_schedules', t.state, count(s.schedule_id)::double precision
        from (values ('waiting'), ('ended'), ('refused'), ('paused'), ('paused_by_failures')) as t(state)
        left join (queues.schedule as s join queues.schedule_due as d on d.schedule_id = s.schedule_id)
          on t.state = case when s.paused_at is not null and d.failures >= s.pause_after_failures then 'paused_by_failures'
                            when s.paused_at is not null then 'paused' when d.refusals > 0 then 'refused'
                            when d.next_slot is null and d.waiting_slot is null then 'ended' else 'waiting' end
        group by t.state;
    return query
        select 'reeve_schedules_overdue_seconds', null::text, coalesce(extract(epoch from _now -
            (select d.fire_at from queues.schedule_due as d where d.fire_at <= _now order by d.fire_at limit 1)), 0)::double precision;
    return query select 'reeve_schema_version', null::text, queues.schema_version()::double precision;
end
$$;
comment on function queues.metrics() is 'Figures of the whole database, for monitoring.';
