-- internal.explain_workers(_row, _now)
-- What the workers have against the start of a waiting task: the database is a copy, no worker lives, none serves its type or queue, or all
-- that serve it keep its host closed.  No rows: nothing.
create or replace function internal.explain_workers(_row queues.ready, _now timestamptz) returns setof queues.explanation
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _subject constant text := 'task ' || _row.task_id;
    _type text;
    _queue text;
    _problem text;
    _live integer;
    _typed integer;
    _serving integer;
    _closed integer;
    _until timestamptz;
    _names text[];
begin
    select y.task_type into _type from queues.registered_task_type as y where y.type_id = _row.type_id;
    select q.queue into _queue from queues.queue as q where q.queue_id = _row.queue_id;
    begin
        perform internal.require_adopted(null);
    exception when sqlstate 'QU005' then
        get stacked diagnostics _problem = message_text;
        return next internal.explained(_subject, 'not_adopted', format('No worker runs task %s, because %s and was not adopted.', _row.task_id, _problem),
            null, null, null, jsonb_build_object('hint', 'reeve adopt'));
    end;
    select count(*), count(*) filter (where w.serves_type), count(*) filter (where w.serves_type and w.serves_queue),
           count(c.until) filter (where w.serves_type and w.serves_queue), min(c.until) filter (where w.serves_type and w.serves_queue),
           array_agg(s.worker_name order by s.worker_name) filter (where c.until is not null)
    into _live, _typed, _serving, _closed, _until, _names
    from (select x.worker_id, x.closed, x.closed_until, x.types is null or _type = any(x.types) as serves_type,
                 x.queues is null or _queue = any(x.queues) as serves_queue
          from internal.live_workers() as x) as w
    join queues.worker_started as s on s.worker_id = w.worker_id
    left join lateral (select max(u.until) as until from unnest(w.closed, w.closed_until) as u(destination, until)
                       where u.destination = _row.destination and u.until > clock_timestamp()) as c on true;
    if _live = 0 then
        return next internal.explained(_subject, 'no_worker', format('No worker has given a sign of life in the last minute, so nobody takes task %s.',
            _row.task_id), (select max(w.seen_at) from queues.worker_seen as w), null, null, jsonb_build_object('hint', 'reeve work'));
    elsif _typed = 0 then
        return next internal.explained(_subject, 'not_served', format('None of the %s live workers serves type %s of task %s.', _live, _type, _row.task_id),
            null, null, null, jsonb_build_object('type', _type, 'live_workers', _live));
    elsif _serving = 0 then
        return next internal.explained(_subject, 'not_served', format('None of the %s live workers that serve type %s serves queue %s of task %s.', _typed,
            _type, _queue, _row.task_id), null, null, null, jsonb_build_object('type', _type, 'queue', _queue, 'live_workers', _live));
    elsif _closed = _serving then
        return next internal.explained(_subject, 'host_closed', format('Calls to %s fail, so every worker that serves task %s makes none before %s.',
            _row.destination, _row.task_id, internal.time_words(_until, _now)), null, _until, array_to_string(_names[1:5], ', '),
            jsonb_build_object('destination', _row.destination, 'workers', to_jsonb(_names[1:5])));
    end if;
end
$$;
comment on function internal.explain_workers(queues.ready, timestamptz) is 'What the workers have against the start of a waiting task.';
