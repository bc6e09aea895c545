-- internal.claim_for(_holder_id, ...)
-- internal.claim_groups with a row per task, in the order of claims.
create or replace function internal.claim_for(_holder_id integer, _queues text[], _types text[], _limit integer,
        _lease interval, _hints jsonb, _limits internal.claim_limits, _take_back boolean, _single boolean)
    returns table (task_id bigint, lease_no integer, task_type text, adapter text, queue text, priority bigint,
                   available_at timestamptz, mode text, timeout interval, expires_at timestamptz,
                   crash_count integer, run_alone boolean, destination text)
    language sql volatile
    set search_path = pg_catalog, pg_temp
as $$
    select i.task_id, i.lease_no, g.task_type, g.adapter, g.queue, g.priority, i.available_at, g.mode, g.timeout, g.expires_at,
           g.crash_count, g.run_alone, g.destination
    from internal.claim_groups(_holder_id, _queues, _types, _limit, _lease, _hints, _limits, _take_back, _single,
                               true) as g
    cross join lateral unnest(g.task_ids, g.lease_nos, g.places, g.times) as i(task_id, lease_no, place, available_at)
    order by i.place
$$;
comment on function internal.claim_for(integer, text[], text[], integer, interval, jsonb, internal.claim_limits, boolean, boolean) is
    'Leases due tasks for a holder.';
