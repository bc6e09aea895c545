-- internal.task_places(_ids)
-- The state of some tasks, as in queues.task_state, each found by keys.  The row of a waiting task is looked for where it was enqueued
-- first; if it is not there, its key follows from its other facts.
create or replace function internal.task_places(_ids bigint[])
    returns table (task_id bigint, state text, priority bigint, available_at timestamptz, lease_no integer, expires_at timestamptz)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
as $$
declare
    _now constant timestamptz := clock_timestamp();
    _executing oid[];
begin
    if exists (select 1 from queues.running as r where r.task_id = any(_ids)) then
        _executing := internal.executing_keys();
    end if;
    return query
        select t.task_id,
               case when t.is_completed then 'completed'
                    when r.task_id is not null then case when (t.task_id & 2147483647)::oid = any(_executing) then 'executing' else 'running' end
                    else coalesce(internal.ready_state(coalesce(f.phase, w.phase), coalesce(f.available_at, w.available_at), _now), 'ready') end,
               coalesce(r.priority, f.priority, w.priority, t.priority), coalesce(f.available_at, w.available_at),
               coalesce(r.lease_no, nullif(coalesce(f.lease_no, w.lease_no), 0)), r.expires_at
        from (select x.task_id, x.queue, x.priority, x.scheduled_at,
                     exists (select 1 from queues.task_completed as c where c.task_id = x.task_id) as is_completed
              from unnest(_ids) as i(id) cross join lateral (select y.* from queues.task as y where y.task_id = i.id) as x offset 0) as t
        left join lateral (select x.task_id, x.priority, x.lease_no, x.expires_at from queues.running as x where not t.is_completed and x.task_id = t.task_id offset 0) as r on true
        left join lateral (select x.task_id, x.phase, x.available_at, x.priority, x.lease_no from queues.ready as x
                           where not t.is_completed and r.task_id is null and x.queue_id = (select q.queue_id from queues.queue as q where q.queue = t.queue)
                             and x.priority = t.priority and x.available_at = t.scheduled_at and x.task_id = t.task_id offset 0) as f on true
        left join lateral (select x.phase, x.available_at, x.priority, x.lease_no
                           from (select k.* from internal.ready_key(t.task_id) as k
                                 where not t.is_completed and r.task_id is null and f.task_id is null offset 0) as k
                           join queues.ready as x on x.queue_id = k.queue_id and x.priority = k.priority and x.available_at = k.available_at
                                and x.task_id = t.task_id) as w on true;
end
$$;
comment on function internal.task_places(bigint[]) is 'The state of some tasks.';
