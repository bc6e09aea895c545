-- internal.explain_end(_end)
-- Why a task ended as it did.  A failed attempt that its policy has retried says which task goes on.
create or replace function internal.explain_end(_end queues.task_completed) returns queues.explanation
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _now constant timestamptz := queues.clock();
    _subject constant text := 'task ' || _end.task_id;
    _error record;
    _attempt queues.task_attempt;
    _next bigint;
    _next_end queues.task_completed;
    _retried bigint[];
    _request queues.task_cancel_requested;
    _leases integer;
    _deaths integer;
    _worker record;
    _reason text := _end.outcome;
    _by text := _end.completed_by;
    _words text;
begin
    select * into _error from internal.last_error_words(_end.task_id);
    select a.* into _attempt from queues.task_attempt as a where a.task_id = _end.task_id;
    select c.* into _request from queues.task_cancel_requested as c where c.task_id = _end.task_id;
    select count(*), count(e.task_id) filter (where e.how in ('expired', 'abandoned')) into _leases, _deaths
    from queues.task_lease as l left join queues.task_lease_ended as e on e.task_id = l.task_id and e.lease_no = l.lease_no
    where l.task_id = _end.task_id;
    select w.* into _worker from queues.task_lease as l join queues.holder as h on h.holder_id = l.holder_id
    cross join lateral internal.worker_words(h.worker_id) as w
    where l.task_id = _end.task_id and l.lease_no = _end.lease_no;
    select array_agg(r.task_id) into _retried
    from (select t.task_id from queues.task as t where t.retry_of = _end.task_id order by t.task_id limit 5) as r;

    _words := case _end.outcome
        when 'succeeded' then 'succeeded'
        when 'non_success' then 'ended without success' || coalesce(' with status ' || left(_end.status, 128), '')
        when 'failed' then 'failed'
        when 'cancelled' then 'was cancelled'
        when 'quarantined' then format('was quarantined, because %s of its leases died', _deaths)
        when 'superseded' then 'was superseded'
        when 'in_doubt' then 'ended in doubt: it was sent, and no answer came back, so nobody knows whether it had an effect'
        else 'ended as ' || left(_end.outcome, 64) end || ' at ' || internal.time_words(_end.completed_at, _now);
    if _end.outcome = 'failed' and _error.sqlstate = 'QU007' then
        _reason := 'function_not_registered';
        _words := _words || ', because a function that it names was not registered';
    end if;
    if _end.outcome in ('cancelled', 'superseded') then
        _by := coalesce(_request.requested_by, _by);
        _words := _words || coalesce(' by ' || _by, '');
        if internal.is_operator() then
            _words := _words || coalesce(': ' || left(coalesce(_request.reason, _end.result->>'reason'), 1000), '');
        end if;
    elsif _end.outcome in ('succeeded', 'non_success') then
        _words := _words || coalesce(', run by ' || _worker.words, '');
    end if;
    if _end.outcome in ('failed', 'quarantined', 'in_doubt') then
        _words := _words || coalesce(': ' || _error.words, '');
    end if;
    if _attempt.attempt is not null then
        _words := _words || format(' (attempt %s of %s)', _attempt.attempt, _attempt.max_attempts);
        select n.task_id into _next from queues.task_attempt as n
        where n.chain_id = _attempt.chain_id and n.attempt = _attempt.attempt + 1;
    end if;
    if _next is not null then
        _reason := 'retried';
        select c.* into _next_end from queues.task_completed as c where c.task_id = internal.last_attempt(_next);
        _words := _words || format('; its policy goes on with task %s%s', _next,
            case when _next_end.task_id is null then '' else format(', and attempt task %s has ended as %s', _next_end.task_id, _next_end.outcome) end);
    elsif _retried is not null then
        _words := _words || '; it was retried by hand as task ' || array_to_string(_retried, ', ');
    end if;
    return internal.explained(_subject, _reason, format('Task %s %s.', _end.task_id, rtrim(_words, '.')), _end.completed_at, null, _by,
        jsonb_build_object('outcome', _end.outcome, 'status', left(_end.status, 128),
            'lease_no', _end.lease_no, 'leases', nullif(_leases, 0), 'leases_died', nullif(_deaths, 0), 'started_at', _end.started_at,
            'worker', _worker.words, 'error', _error.words, 'error_at', _error.at, 'sqlstate', _error.sqlstate,
            'attempt', _attempt.attempt, 'max_attempts', _attempt.max_attempts, 'next_attempt', _next, 'retried_as', to_jsonb(_retried)));
end
$$;
comment on function internal.explain_end(queues.task_completed) is 'Why a task ended as it did.';
