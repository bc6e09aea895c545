-- queues.next_due(_queues, _types, _hints)
-- The next time at which a waiting task or a schedule becomes due, for the timer of a worker; null if there is none.  Tasks that are due already
-- do not count: a claim finds them, or may not take them.
-- It costs one probe per queue and priority.  With the hints of a claim, known priorities are not read from the front, where dead
-- rows may still be pinned.
create or replace function queues.next_due(_queues text[] default null, _types text[] default null, _hints jsonb default null)
    returns timestamptz
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
    set jit = off set plan_cache_mode = force_generic_plan
as $$
declare
    -- A task that became due while the caller decided is still returned.
    _after constant timestamptz := clock_timestamp() - interval '100 milliseconds';
    _min constant bigint := -9223372036854775808;
    _max constant bigint := 9223372036854775807;
    _type_ids smallint[];
    _queue record;
    _known record;
    _low bigint;
    _high bigint;
    _priority bigint;
    _priorities bigint[];
    _at timestamptz;
    _first timestamptz;
begin
    select array_agg(t.type_id) into _type_ids from queues.registered_task_type as t
    where _types is null or t.task_type = any(_types);
    for _queue in
        select q.queue_id, q.queue, q.paused_until from queues.queue as q
        where (_queues is null or q.queue = any(_queues))
          and (q.paused_until is null or isfinite(q.paused_until))
          and (_hints ? q.queue or (select true from queues.ready as r where r.queue_id = q.queue_id limit 1))
    loop
        _low := _min;
        _priorities := array[]::bigint[];
        for _known in
            select k::bigint as priority from jsonb_object_keys(_hints->_queue.queue) as k
            union all select null order by 1 nulls last
        loop
            _high := case when _known.priority is null then _max else nullif(_known.priority, _min) - 1 end;
            while _low <= _high loop
                select r.priority into _priority from queues.ready as r
                where r.queue_id = _queue.queue_id and r.priority >= _low and r.priority <= _high
                order by r.priority limit 1;
                exit when not found;
                _priorities := _priorities || _priority;
                _low := nullif(_priority, _max) + 1;
            end loop;
            if _known.priority is not null then
                _priorities := _priorities || _known.priority;
                _low := nullif(_known.priority, _max) + 1;
            end if;
        end loop;
        foreach _priority in array _priorities loop
            select greatest(r.available_at, _queue.paused_until) into _at from queues.ready as r
            where r.queue_id = _queue.queue_id and r.priority = _priority and r.type_id = any(_type_ids)
              -- While the queue is paused, due tasks wait for the end of the pause.
              and r.available_at > case when _queue.paused_until > _after then '-infinity' else _after end
              and r.available_at < 'infinity'
            order by r.available_at limit 1;
            _first := least(_first, _at);
        end loop;
    end loop;
    -- A claim finds merges that came too late for their task.
    if exists (select 1 from queues.merging) then
        _first := least(_first, clock_timestamp() + interval '1 second');
    end if;
    -- Schedules fire on every worker, whatever queues it serves.
    return least(_first, (select d.fire_at from queues.schedule_due as d where d.fire_at > _after and d.fire_at < 'infinity'
                          order by d.fire_at limit 1));
end
$$;
comment on function queues.next_due(text[], text[], jsonb) is 'Next time at which a waiting task becomes due.';
