-- queues.top_workers()
-- Live workers, and silent ones of the last day, for a screen: name, state, seconds since the start and the last sign of life,
-- tasks that they hold, and the queues that they serve (null: all).  At most 100, those with most tasks first.
create or replace function queues.top_workers()
    returns table (worker_name text, state text, held bigint, started_s double precision, seen_s double precision, queues text,
        version text)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
    set jit = off
as $$
declare
    _now constant timestamptz := clock_timestamp();
begin
    return query
        select s.worker_name, case when w.seen_at > _now - interval '60 seconds' then 'live' else 'silent' end,
               coalesce(h.held, 0), extract(epoch from _now - s.started_at)::double precision,
               extract(epoch from _now - w.seen_at)::double precision, left(array_to_string(w.queues, ','), 200), s.version
        from queues.worker_seen as w
        join queues.worker_started as s on s.worker_id = w.worker_id
        left join (select o.worker_id, count(*) as held
                   from queues.running as r join queues.holder as o on o.holder_id = r.holder_id
                   group by o.worker_id) as h on h.worker_id = w.worker_id
        where w.seen_at > _now - interval '1 day' and s.worker_id <> '00000000-0000-4000-8000-000000000001'
        order by 3 desc, 1 limit 100;
end
$$;
comment on function queues.top_workers() is 'Workers with a recent sign of life, for a screen.';
