-- internal.hasten(_task_id)
-- Gives a waiting task the smallest time and priority of the payloads merged into it.  A next attempt keeps the time that its policy
-- gave it.  If another session holds its row, the next call does it.
create or replace function internal.hasten(_task_id bigint) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _key record;
    _at timestamptz;
    _priority bigint;
begin
    select * into _key from internal.ready_key(_task_id);
    perform 1 from queues.ready as r
    where r.queue_id = _key.queue_id and r.priority = _key.priority and r.available_at = _key.available_at
      and r.task_id = _task_id and r.lease_no = 0
    for update skip locked;
    if not found then
        return;
    end if;
    with recorded as (
        update queues.merging as m set is_urgent = null where m.task_id = _task_id and m.is_urgent
        returning m.available_at, m.priority
    )
    -- Not into the past, where a claim may have passed already, and not behind the merge that asks.
    select least(_key.available_at, min(greatest(n.available_at, least(now(), queues.clock())))), least(_key.priority, min(n.priority))
    into _at, _priority from recorded as n;
    if internal.is_repeated(_task_id) then
        _at := _key.available_at;
    end if;
    if _at <> _key.available_at or _priority <> _key.priority then
        update queues.ready as r set available_at = _at, priority = _priority
        where r.queue_id = _key.queue_id and r.priority = _key.priority and r.available_at = _key.available_at and r.task_id = _task_id;
        perform internal.record_change(_task_id, 'wake', null, _at, _priority, 0);
    end if;
end
$$;
comment on function internal.hasten(bigint) is 'Moves a waiting task forward to the most urgent of its merges.';
