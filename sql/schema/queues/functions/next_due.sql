-- queues.next_due(_queues, _types)
-- The earliest time at which a claim could find something, for a worker's timer; null
-- when nothing waits.  One probe per queue and priority, as in claim.
create or replace function queues.next_due(_queues text[] default null, _types text[] default null) returns timestamptz
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
    set jit = off
as $$
declare
    _type_ids smallint[];
    _queue record;
    _low bigint;
    _priority bigint;
    _at timestamptz;
    _first timestamptz;
begin
    select array_agg(t.type_id) into _type_ids from queues.registered_task_type as t
    where _types is null or t.task_type = any(_types);
    for _queue in
        select q.queue_id, q.paused_until from queues.queue as q
        where (_queues is null or q.queue = any(_queues))
          and (q.paused_until is null or isfinite(q.paused_until))
    loop
        _low := -9223372036854775808;
        loop
            select r.priority into _priority from queues.ready as r
            where r.queue_id = _queue.queue_id and r.priority >= _low
            order by r.priority limit 1;
            exit when not found;
            select greatest(r.available_at, _queue.paused_until) into _at from queues.ready as r
            where r.queue_id = _queue.queue_id and r.priority = _priority and r.type_id = any(_type_ids)
              and r.available_at < 'infinity'
            order by r.available_at limit 1;
            _first := least(_first, _at);
            exit when _priority = 9223372036854775807;
            _low := _priority + 1;
        end loop;
    end loop;
    return _first;
end
$$;
comment on function queues.next_due(text[], text[]) is 'Earliest time at which a claim could find something.';
