-- queues.claim(_worker_id, _queues, _types, _limit, _lease, _hints, _skip_destinations, _take_back)
-- Hands out due tasks in claim order: priority, time from which the task may run, id.
--
-- The cost does not depend on history, on tasks of the future, or on dead rows that a
-- pinned snapshot keeps: every queue and priority ("lane") is one range of the ready
-- index that ends at now and starts at the caller's hint.  The gaps between known
-- priorities are probed with both bounds.  A claim without hints starts at the
-- front: workers make one now and then, so no task that commits late is missed.
--
-- Hints: {"queue": {"priority": "time" or ["time", task id] or 0}, "*": seconds}.  A lane with a time starts a
-- second before it.  A lane with a pair starts right behind that task.  A lane with 0, or without a hint, starts
-- that many seconds ago: the caller had taken all tasks of its types that were due then, and need not read
-- again the tasks that are for others.
--
-- Calls whose destination is among _skip_destinations are passed over.
--
-- The statement after the lock deletes the row, so a claim with an old snapshot
-- finds it gone: no task is handed out twice.
create or replace function queues.claim(_worker_id uuid, _queues text[] default null, _types text[] default null,
        _limit integer default 1, _lease interval default '60 seconds', _hints jsonb default null,
        _skip_destinations text[] default null, _take_back boolean default true)
    returns table (task_id bigint, lease_no integer, task_type text, adapter text, queue text, priority bigint,
                   available_at timestamptz, mode text, timeout interval, expires_at timestamptz,
                   crash_count integer, run_alone boolean, destination text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _limits internal.claim_limits;
begin
    if _worker_id is null then
        raise exception using errcode = '22004', message = 'worker id must not be null';
    end if;
    _limits.skipped := _skip_destinations;
    return query select * from internal.claim_for(internal.this_holder(_worker_id), _queues, _types, _limit,
                                                  _lease, _hints, _limits, _take_back, false);
end
$$;
comment on function queues.claim(uuid, text[], text[], integer, interval, jsonb, text[], boolean) is
    'Leases due tasks, in the order of priority, time and id.';
