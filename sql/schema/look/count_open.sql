-- internal.count_open()
-- Counts the open work of each queue that has some, at one moment; the working set is read whole.
create or replace function internal.count_open(out counted_at timestamptz, out took interval, out counts jsonb)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set jit = off set max_parallel_workers_per_gather = 0
as $$
begin
    counted_at := clock_timestamp();
    select coalesce(jsonb_object_agg(q.queue, jsonb_build_object('ready', coalesce(r.ready, 0), 'scheduled', coalesce(r.scheduled, 0),
               'running', coalesce(n.running, 0), 'handler_pending', coalesce(r.handler_pending, 0), 'waiting', coalesce(r.waiting, 0), 'oldest_ready', r.oldest_ready)), '{}')
    into counts
    from (select x.queue_id, count(*) filter (where x.phase is null and x.available_at <= counted_at) as ready,
                 count(*) filter (where x.phase is null and x.available_at > counted_at) as scheduled,
                 count(*) filter (where x.phase = 'h') as handler_pending, count(*) filter (where x.phase in ('w', 'b')) as waiting,
                 min(x.available_at) filter (where x.phase is null and x.available_at <= counted_at) as oldest_ready
          from queues.ready as x group by x.queue_id) as r
    full join (select x.queue_id, count(*) as running from queues.running as x group by x.queue_id) as n on n.queue_id = r.queue_id
    join queues.queue as q on q.queue_id = coalesce(r.queue_id, n.queue_id);
    took := clock_timestamp() - counted_at;
end
$$;
comment on function internal.count_open() is 'Counts the open work of each queue at one moment.';
