-- queues.claim_batch(_worker_id, _queues, _types, _limit, _lease, _hints, _take_back, _destinations, _rooms, ...)
-- As queues.claim, for programs that claim many tasks: tasks that are alike share a row, and places gives the position of each in
-- the order of this claim, from 1.
-- Limits on calls: _rooms and _retry_rooms give for each of _destinations the number of calls, and how many of these may be
-- retries.  A null among the destinations stands for those that are not known yet.  _other_room and _other_retry_room are the
-- same for each destination that is not named.  _shared_room is for all together, without the first call of each destination
-- that is not named.
create or replace function queues.claim_batch(_worker_id uuid, _queues text[] default null, _types text[] default null,
        _limit integer default 1, _lease interval default '60 seconds', _hints jsonb default null,
        _take_back boolean default true, _destinations text[] default null, _rooms integer[] default null,
        _retry_rooms integer[] default null, _other_room integer default null, _other_retry_room integer default null,
        _shared_room integer default null)
    returns table (task_ids bigint[], lease_nos integer[], places integer[], last_at timestamptz, task_type text,
                   adapter text, queue text, priority bigint, mode text, timeout interval, expires_at timestamptz,
                   crash_count integer, run_alone boolean, destination text, is_retry boolean, has_parent boolean,
                   first_at timestamptz)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _worker_id is null then
        raise exception using errcode = '22004', message = 'worker id must not be null';
    end if;
    return query
        select g.task_ids, g.lease_nos, g.places, g.last_at, g.task_type, g.adapter, g.queue, g.priority, g.mode, g.timeout,
               g.expires_at, g.crash_count, g.run_alone, g.destination, g.is_retry, g.has_parent, g.first_at
        from internal.claim_groups(internal.this_holder(_worker_id), _queues, _types, _limit, _lease, _hints,
                                   internal.claim_limits(_destinations, _rooms, _retry_rooms, _other_room, _other_retry_room,
                                                         _shared_room), _take_back, false, false) as g;
end
$$;
comment on function queues.claim_batch(uuid, text[], text[], integer, interval, jsonb, boolean, text[], integer[], integer[], integer, integer,
    integer) is
    'Leases due tasks, in the order of priority, time and id; tasks that are alike share a row.';
