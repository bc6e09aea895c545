-- internal.explain_queue(_row, _now)
-- What the queue of a waiting task has against its start: a pause, a limit that is full, or a session that holds the row of a queue with limits,
-- which every claim passes over.  No rows: nothing.
create or replace function internal.explain_queue(_row queues.ready, _now timestamptz) returns setof queues.explanation
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _subject constant text := 'task ' || _row.task_id;
    _queue queues.queue;
    _locker integer;
    _act queues.audit;
    _room record;
    _limit text;
    _holders bigint[];
begin
    select q.* into _queue from queues.queue as q where q.queue_id = _row.queue_id;
    select internal.row_locker(q.xmax) into _locker from queues.queue as q where q.queue_id = _row.queue_id;
    if _queue.paused_until > _now then
        select a.* into _act from queues.audit as a
        where a.object = _queue.queue and a.action = 'pause_queue' order by a.audit_id desc limit 1;
        return next internal.explained(_subject, 'queue_paused', format('Queue %s of task %s is paused%s%s%s.', _queue.queue, _row.task_id,
            case when isfinite(_queue.paused_until) then ' until ' || internal.time_words(_queue.paused_until, _now) else '' end,
            coalesce(' by ' || _act.actor, ''), coalesce(' since ' || internal.time_words(_act.acted_at, _now), '')),
            _act.acted_at, nullif(_queue.paused_until, 'infinity'), _act.actor, jsonb_build_object('queue', _queue.queue));
    end if;
    if _queue.max_running is null and _queue.top_level_limit is null then
        return;
    end if;
    _room := internal.queue_room(_queue.queue_id, _queue.max_running, _queue.top_level_limit, 1000000);
    if _room.room < 1 then
        _limit := 'max_running';
    elsif _room.top_room < 1 and _row.parent_id is null and _row.phase is null then
        _limit := 'top_level_limit';
    elsif _room.begun_first and _row.lease_no = 0 and _row.parent_id is null and _row.phase is null then
        select array_agg(b.task_id) into _holders from (
            select r.task_id from queues.ready as r
            where r.queue_id = _row.queue_id and r.lease_no > 0 and r.phase is null and r.parent_id is null and r.available_at <= _now
            limit 5) as b;
        return next internal.explained(_subject, 'interrupted_first', format('Task %s waits, because queue %s lets interrupted tasks go first: %s.',
            _row.task_id, _queue.queue, array_to_string(_holders, ', ')), null, null, null,
            jsonb_build_object('queue', _queue.queue, 'tasks', to_jsonb(_holders)));
    end if;
    if _limit is not null then
        select array_agg(b.task_id order by b.task_id) into _holders from (
            (select r.task_id from queues.running as r
             where r.queue_id = _row.queue_id and r.is_limited and (_limit = 'max_running' or r.parent_id is null) limit 5)
            union all
            (select r.task_id from queues.ready as r
             where _limit = 'top_level_limit' and r.queue_id = _row.queue_id and r.lease_no > 0 and r.phase in ('h', 'w') and r.parent_id is null
             limit 5)) as b;
        return next internal.explained(_subject, 'limit_full', format('Task %s waits for room: %s of queue %s is %s, and these tasks use it: %s%s.',
            _row.task_id, _limit, _queue.queue, case _limit when 'max_running' then _queue.max_running else _queue.top_level_limit end,
            array_to_string(_holders[1:5], ', '),
            case when case _limit when 'max_running' then _queue.max_running else _queue.top_level_limit end > 5 then ' ...' else '' end),
            null, null, null, jsonb_build_object('queue', _queue.queue, 'limit', _limit, 'max_running', _queue.max_running,
                'top_level_limit', _queue.top_level_limit, 'tasks', to_jsonb(_holders[1:5])));
    end if;
    if _locker is not null then
        return next internal.explained(_subject, 'lock', format('%s holds the row of queue %s, which has limits, so claims pass over the queue.',
            case _locker when 0 then 'An open transaction' else 'Session ' || _locker end, _queue.queue), null, null, null, jsonb_build_object('queue', _queue.queue, 'locked_by', jsonb_build_array(_locker)));
    end if;
end
$$;
comment on function internal.explain_queue(queues.ready, timestamptz) is 'What the queue of a waiting task has against its start.';
