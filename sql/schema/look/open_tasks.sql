-- internal.open_tasks(_state, _queue, _task_type, _most)
-- The open tasks in a state, newest first.  They are found in the working set, by ranges of the order of claims.  Null: more than
-- _most rows would have to be read.  A type or queue that does not exist has none.
create or replace function internal.open_tasks(_state text, _queue text, _task_type text, _most integer) returns bigint[]
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
as $$
declare
    _now constant timestamptz := clock_timestamp();
    _queues constant integer[] := array(select q.queue_id from queues.queue as q where _queue is null or q.queue = _queue);
    _type_id constant smallint := (select y.type_id from queues.registered_task_type as y where y.task_type = _task_type);
    _executing oid[];
    _ids bigint[];
    _read bigint;
    _groups bigint;
begin
    if _state in ('running', 'executing') then
        _executing := internal.executing_keys();
        with seen as materialized (select r.task_id, r.queue_id, r.type_id from queues.running as r limit _most + 1)
        select array_agg(s.task_id order by s.task_id desc) filter (where s.queue_id = any(_queues) and (_task_type is null or s.type_id = _type_id)
                   and (_state = 'executing') = ((s.task_id & 2147483647)::oid = any(_executing))), count(*)
        into _ids, _read from seen as s;
    elsif _state = 'handler_pending' then
        with seen as materialized (
            select r.task_id, r.type_id, r.phase from unnest(_queues) as q(queue_id)
            cross join lateral (select x.task_id, x.type_id, x.phase from queues.ready as x where x.queue_id = q.queue_id and x.lease_no > 0 offset 0) as r
            limit _most + 1
        )
        select array_agg(s.task_id order by s.task_id desc) filter (where s.phase = 'h' and (_task_type is null or s.type_id = _type_id)), count(*)
        into _ids, _read from seen as s;
    else
        -- One range per queue and priority; a queue may have as many priorities as tasks.
        with recursive place as (
            select q.queue_id, (select x.priority from queues.ready as x where x.queue_id = q.queue_id order by x.priority limit 1) as priority
            from unnest(_queues) as q(queue_id)
            union all
            select p.queue_id, (select x.priority from queues.ready as x where x.queue_id = p.queue_id and x.priority > p.priority order by x.priority limit 1)
            from place as p where p.priority is not null
        ), known as materialized (
            select p.queue_id, p.priority from place as p where p.priority is not null limit 1001
        ), seen as materialized (
            select r.task_id, r.type_id, r.phase from known as k
            cross join lateral (
                select x.task_id, x.type_id, x.phase from queues.ready as x
                where x.queue_id = k.queue_id and x.priority = k.priority
                  and x.available_at > case _state when 'ready' then '-infinity' when 'scheduled' then _now else 'epoch' end
                  and x.available_at >= case when _state in ('waiting', 'blocked') then timestamptz 'infinity' else '-infinity' end
                  and x.available_at <= case _state when 'ready' then _now else 'infinity' end
                offset 0) as r
            limit _most + 1
        )
        select array_agg(s.task_id order by s.task_id desc)
                   filter (where s.phase is not distinct from case _state when 'waiting' then 'w'::"char" when 'blocked' then 'b'::"char" end
                                 and (_task_type is null or s.type_id = _type_id)), count(*), (select count(*) from known)
        into _ids, _read, _groups from seen as s;
    end if;
    if _read > _most or _groups > 1000 then
        return null;
    end if;
    return coalesce(_ids, '{}');
end
$$;
comment on function internal.open_tasks(text, text, text, integer) is 'The open tasks in a state, unless they are too many.';
