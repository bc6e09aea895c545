-- internal.scan_open_tasks(_act, _before, _most)
-- The open tasks below an id that the filter of an act fits, at most _most of them, newest first.  The working set is read whole: it
-- has no order by id, and its size is that of the backlog, not that of history.
create or replace function internal.scan_open_tasks(_act queues.bulk_act, _before bigint, _most integer,
        out ids bigint[], out scanned bigint, out oldest_id bigint, out oldest_at timestamptz)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set jit = off
as $$
declare
    _now constant timestamptz := queues.clock();
    _queue_id constant integer := case when _act.queue is not null then internal.require_queue(_act.queue) end;
    _type_id smallint;
    _needs_task constant boolean := _act.since is not null or _act.until is not null;
begin
    select y.type_id into _type_id from queues.registered_task_type as y where y.task_type = _act.type;
    select array_agg(f.task_id) into ids from (
        select o.task_id from (
            select r.task_id, internal.ready_state(r.phase, r.available_at, _now) as state, r.queue_id, r.type_id from queues.ready as r
            union all
            select r.task_id, case when _act.state = 'executing' and internal.is_executing(r.task_id) then 'executing' else 'running' end, r.queue_id, r.type_id
            from queues.running as r) as o
        where o.task_id < _before and (_act.state is null or o.state = _act.state) and (_queue_id is null or o.queue_id = _queue_id)
          and (_act.type is null or o.type_id = _type_id)
          and (not _needs_task or (select coalesce(x.enqueued_at >= _act.since, true) and coalesce(x.enqueued_at < _act.until, true) from queues.task as x where x.task_id = o.task_id))
          and (_act.error_like is null or (select e.error_message like _act.error_like from queues.error as e where e.task_id = o.task_id order by e.error_id desc limit 1))
        order by o.task_id desc limit _most) as f;
    scanned := (select count(*) from queues.ready) + (select count(*) from queues.running);
    -- The end of a look that found all of them is the beginning of time.
    if cardinality(ids) = _most then
        oldest_id := (select min(i) from unnest(ids) as i);
        oldest_at := (select t.enqueued_at from queues.task as t where t.task_id = oldest_id);
    end if;
end
$$;
comment on function internal.scan_open_tasks(queues.bulk_act, bigint, integer) is 'Open tasks that a filter fits.';
