-- queues.worker_alive(_worker_id, _queues, _types, _closed, _closed_ms)
-- A sign of life with the queues and types that the worker serves; called every few seconds.  It returns the types of open tasks
-- that no live worker serves.  _closed: destinations that the worker does not call for the next _closed_ms milliseconds, because they failed.
--  Only the fronts of the queues are read: tasks that nobody takes end up there.
create or replace function queues.worker_alive(_worker_id uuid, _queues text[] default null, _types text[] default null,
        _closed text[] default null, _closed_ms bigint[] default null)
    returns text[]
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform internal.check_text('queues', array_to_string(_queues, ','), 131072),
            internal.check_text('types', array_to_string(_types, ','), 131072),
            internal.check_text('closed destinations', array_to_string(_closed, ','), 131072);
    insert into queues.worker_seen (worker_id, seen_at, queues, types, closed, closed_until)
    select s.worker_id, clock_timestamp(), _queues, _types, _closed,
           (select array_agg(clock_timestamp() + least(greatest(c.ms, 0), 86400000) * interval '1 millisecond' order by c.nth)
            from unnest(_closed_ms) with ordinality as c(ms, nth))
    from queues.worker_started as s
    where s.worker_id = _worker_id and s.worker_id <> internal.test_worker_id()
    on conflict (worker_id) do update set seen_at = excluded.seen_at, queues = excluded.queues, types = excluded.types,
        closed = excluded.closed, closed_until = excluded.closed_until;
    return (select array_agg(t.task_type::text order by t.task_type) from queues.registered_task_type as t
            where t.type_id in (select f.type_id from queues.queue as q
                                cross join lateral (select r.type_id from queues.ready as r where r.queue_id = q.queue_id
                                                    order by r.priority, r.available_at limit 100) as f)
              and not internal.is_served(t.task_type, null));
end
$$;
comment on function queues.worker_alive(uuid, text[], text[], text[], bigint[]) is 'A sign of life of a worker program.';
