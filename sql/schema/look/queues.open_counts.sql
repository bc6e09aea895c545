-- queues.open_counts()
-- How much open work there is, in all and by queue: exact as of as_of, a few seconds ago at most where counting is costly
-- (internal.shared_counts).  Pauses and limits are those of now.  paused_until: null if the pause has no end.
create or replace function queues.open_counts() returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _shared constant record := internal.shared_counts();
    _now constant timestamptz := clock_timestamp();
    _queues jsonb;
    _totals jsonb;
begin
    select coalesce(jsonb_agg(to_jsonb(x.*) order by x.queue), '[]'),
           jsonb_build_object('ready', coalesce(sum(x.ready), 0), 'scheduled', coalesce(sum(x.scheduled), 0), 'running', coalesce(sum(x.running), 0),
               'handler_pending', coalesce(sum(x.handler_pending), 0), 'waiting', coalesce(sum(x.waiting), 0))
    into _queues, _totals
    from (select q.queue, coalesce((c.n->>'ready')::bigint, 0) as ready, coalesce((c.n->>'scheduled')::bigint, 0) as scheduled,
                 coalesce((c.n->>'running')::bigint, 0) as running, coalesce((c.n->>'handler_pending')::bigint, 0) as handler_pending,
                 coalesce((c.n->>'waiting')::bigint, 0) as waiting, (c.n->>'oldest_ready')::timestamptz as oldest_ready,
                 coalesce(q.paused_until > _now, false) as paused, case when q.paused_until > _now and q.paused_until < 'infinity' then q.paused_until end as paused_until,
                 q.max_running, q.top_level_limit
          from queues.queue as q cross join lateral (select _shared.counts->q.queue as n) as c) as x;
    return jsonb_build_object('as_of', _shared.counted_at, 'age_s', round(greatest(extract(epoch from _now - _shared.counted_at), 0)::numeric, 3),
                              'totals', _totals, 'queues', _queues);
end
$$;
comment on function queues.open_counts() is 'Counts of open work, a few seconds old at most.';
