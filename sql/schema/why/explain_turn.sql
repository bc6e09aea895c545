-- internal.explain_turn(_row, _now)
-- The last explanation of a due task with nothing against its start: other tasks come first, it is due since a moment, or nobody knows.  At most
-- 1000 tasks of its own priority are counted, and the 20 most urgent priorities are looked at.
create or replace function internal.explain_turn(_row queues.ready, _now timestamptz) returns queues.explanation
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
declare
    _subject constant text := 'task ' || _row.task_id;
    _due constant text := internal.time_words(_row.available_at, _now);
    _before integer;
    _urgent bigint;
    _serving integer;
    _calls integer;
begin
    select count(*) into _before from (
        select 1 from queues.ready as r
        where r.queue_id = _row.queue_id and r.priority = _row.priority and (r.available_at, r.task_id) < (_row.available_at, _row.task_id)
        limit 1000) as b;
    with recursive lane as (
        (select r.priority, 1 as nth from queues.ready as r where r.queue_id = _row.queue_id and r.priority < _row.priority
         order by r.priority limit 1)
        union all
        select n.priority, l.nth + 1 from lane as l cross join lateral (
            select r.priority from queues.ready as r
            where r.queue_id = _row.queue_id and r.priority > l.priority and r.priority < _row.priority order by r.priority limit 1) as n
        where l.nth < 20
    )
    select l.priority into _urgent from lane as l
    where (select true from queues.ready as r where r.queue_id = _row.queue_id and r.priority = l.priority and r.available_at <= _now limit 1)
    limit 1;
    select count(*) into _serving from internal.live_workers() as w
    where (w.types is null or (select y.task_type::text from queues.registered_task_type as y where y.type_id = _row.type_id) = any(w.types))
      and (w.queues is null or (select q.queue from queues.queue as q where q.queue_id = _row.queue_id) = any(w.queues));
    if _row.destination is not null then
        select count(*) into _calls from (
            select 1 from queues.running as r where r.destination = _row.destination limit 1000) as c;
    end if;
    if _before > 0 or _urgent is not null then
        return internal.explained(_subject, 'in_line', format('Task %s is due since %s and waits for its turn: %s.', _row.task_id, _due,
            concat_ws(', and ', case when _before > 0 then format('%s%s task(s) of its queue and priority come first',
                                                                case when _before >= 1000 then 'at least ' else '' end, _before) end,
                      case when _urgent is not null then format('tasks of priority %s are more urgent', _urgent) end)),
            _row.available_at, null, null, jsonb_build_object('before', _before, 'more_urgent_priority', _urgent, 'live_workers', _serving,
                'destination', _row.destination, 'calls_to_destination', _calls));
    elsif _row.available_at > _now - interval '2 seconds' then
        return internal.explained(_subject, 'due', format('Task %s is due since a moment, and %s live worker(s) may take it now.', _row.task_id, _serving),
            _row.available_at, null, null, jsonb_build_object('live_workers', _serving));
    end if;
    return internal.explained(_subject, 'unknown', format('I don''t know why task %s has not begun: it is due since %s, it is the first of its queue, nothing '
        'holds the queue back, and %s live worker(s) serve it. The database does not know whether these workers are busy with other tasks%s.',
        _row.task_id, _due, _serving, case when _calls > 0 then format(' or whether %s calls to %s are their limit', _calls, _row.destination) else '' end),
        _row.available_at, null, null, jsonb_build_object('live_workers', _serving, 'destination', _row.destination, 'calls_to_destination', _calls));
end
$$;
comment on function internal.explain_turn(queues.ready, timestamptz) is 'Which tasks come before a due task, or that nobody knows.';
