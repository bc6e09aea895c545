-- queues.overdue(_queues, _types)
-- How long the oldest due task of these queues and types has waited; null if none is due.  Paused queues do not count.  A queue
-- with a limit counts only while nothing of it runs: otherwise its tasks may wait for room.  A worker that shows its health asks
-- this beside its claims, so that a claim that finds nothing by mistake is noticed.
-- It costs one probe per queue and priority.  Of each priority, it reads the first 1000 tasks only: tasks behind a long row of
-- tasks of other types are not seen.
create or replace function queues.overdue(_queues text[] default null, _types text[] default null) returns interval
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
    set jit = off set plan_cache_mode = force_generic_plan
as $$
declare
    _now constant timestamptz := clock_timestamp();
    _type_ids smallint[];
    _queue record;
    _from bigint; -- priorities below this one were probed
    _priority bigint;
    _at timestamptz;
    _first timestamptz;
begin
    select array_agg(t.type_id) into _type_ids from queues.registered_task_type as t
    where _types is null or t.task_type = any(_types);
    for _queue in
        select q.queue_id, q.max_running is not null or q.top_level_limit is not null as is_limited from queues.queue as q
        where (_queues is null or q.queue = any(_queues)) and (q.paused_until is null or q.paused_until <= _now)
    loop
        continue when _queue.is_limited
            and ((select true from queues.running as r where r.queue_id = _queue.queue_id and r.is_limited limit 1)
                 or (select true from queues.ready as r where r.queue_id = _queue.queue_id and r.lease_no > 0 limit 1));
        _from := -9223372036854775808;
        loop
            -- A condition with "or" would not reach the index, and the last probe would read the whole queue.
            select r.priority into _priority from queues.ready as r
            where r.queue_id = _queue.queue_id and r.priority >= _from
            order by r.priority limit 1;
            exit when not found;
            select l.available_at into _at
            from (select r.available_at, r.type_id from queues.ready as r
                  where r.queue_id = _queue.queue_id and r.priority = _priority and r.available_at <= _now
                  order by r.available_at, r.task_id limit 1000) as l
            where l.type_id = any(_type_ids) limit 1;
            _first := least(_first, _at);
            exit when _priority = 9223372036854775807;
            _from := _priority + 1;
        end loop;
    end loop;
    return _now - _first;
end
$$;
comment on function queues.overdue(text[], text[]) is 'How long the oldest due task of some queues and types has waited.';
