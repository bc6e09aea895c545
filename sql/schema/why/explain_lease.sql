-- internal.explain_lease(_row)
-- What a leased task waits for: its run, its call, or the end of a lease whose worker is gone.  run_pid in the evidence is the backend that
-- runs the task right now; queues.why looks whether that backend waits for a lock.
create or replace function internal.explain_lease(_row queues.running) returns queues.explanation
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _now constant timestamptz := queues.clock();
    _subject constant text := 'task ' || _row.task_id;
    _worker record;
    _pid constant integer := internal.run_pid(_row.task_id);
    _sent queues.task_dispatched;
    _request queues.task_cancel_requested;
    _progress timestamptz;
    _reason text;
    _words text;
begin
    select w.* into _worker from queues.holder as h cross join lateral internal.worker_words(h.worker_id) as w where h.holder_id = _row.holder_id;
    select d.* into _sent from queues.task_dispatched as d where d.task_id = _row.task_id and d.lease_no = _row.lease_no;
    select c.* into _request from queues.task_cancel_requested as c where c.task_id = _row.task_id;
    select p.reported_at into _progress from queues.task_progress as p
    where p.task_id = _row.task_id and p.lease_no = _row.lease_no order by p.reported_at desc limit 1;
    if _pid is not null then
        _reason := 'executing';
        _words := format('is being run by %s in backend %s, since its lease of %s', _worker.words, _pid, internal.time_words(_row.leased_at, _now));
    elsif _row.expires_at < _now then
        _reason := 'lease_expired';
        _words := format('is held by %s (%s), whose lease ran out at %s; the next claim of any worker takes it back', _worker.words, _worker.state,
                         internal.time_words(_row.expires_at, _now));
    elsif _sent.task_id is not null then
        _reason := case when _worker.state = 'live' then 'calling' else 'worker_silent' end;
        _words := format('was sent by %s (%s) at %s, and waits for the answer; the lease lasts until %s', _worker.words, _worker.state,
                         internal.time_words(_sent.dispatched_at, _now), internal.time_words(_row.expires_at, _now));
    else
        _reason := case when _worker.state in ('live', 'client') then 'leased' else 'worker_silent' end;
        _words := format('is leased by %s (%s) since %s, and has not begun; the lease lasts until %s', _worker.words, _worker.state,
                         internal.time_words(_row.leased_at, _now), internal.time_words(_row.expires_at, _now));
    end if;
    if _request.task_id is not null then
        _words := _words || format('; %s asked to cancel it at %s', _request.requested_by, internal.time_words(_request.requested_at, _now));
    end if;
    return internal.explained(_subject, _reason, format('Task %s %s.', _row.task_id, _words), coalesce(_sent.dispatched_at, _row.leased_at),
        _row.expires_at, _worker.words,
        jsonb_build_object('lease_no', _row.lease_no, 'worker', _worker.words, 'worker_state', _worker.state, 'worker_seen_at', _worker.seen_at,
            'expires_at', _row.expires_at, 'renewed_at', _row.renewed_at, 'run_pid', _pid, 'dispatched_at', _sent.dispatched_at,
            'destination', _row.destination, 'progress_at', _progress, 'leases_died', nullif(_row.crash_count, 0),
            'cancel_requested_by', _request.requested_by, 'cancel_requested_at', _request.requested_at));
end
$$;
comment on function internal.explain_lease(queues.running) is 'What a leased task waits for.';
