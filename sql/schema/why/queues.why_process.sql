-- internal.explain_process(_process_id), queues.why_process(_process_id)
-- What a process waits for: its next run, a task, is explained.  An ended process: how it ended.
create or replace function internal.explain_process(_process_id bigint, out answer queues.explanation, out task_id bigint)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _now constant timestamptz := queues.clock();
    _subject constant text := 'process ' || coalesce(_process_id::text, 'null');
    _process queues.process;
    _run queues.process_run;
    _ended queues.process_ended;
begin
    select p.* into _process from queues.process as p where p.process_id = _process_id;
    if not found then
        answer := internal.explained(_subject, 'not_found', format('There is no process %s: it never existed, or retention has removed it.', coalesce(_process_id::text, 'null')));
        return;
    end if;
    select r.* into _run from queues.process_run as r where r.process_id = _process_id order by r.run_no desc limit 1;
    select x.task_id into explain_process.task_id from (
        select r.task_id, 0 as nth, null::timestamptz as at from queues.running as r where r.process_id = _process_id and r.is_supervisor_run
        union all
        select r.task_id, 1, r.available_at from queues.ready as r where r.process_id = _process_id and r.is_supervisor_run) as x
    order by x.nth, x.at limit 1;
    if explain_process.task_id is not null then
        answer := internal.explained(_subject, 'live', format('Process %s (%s) lives; %s its next run is task %s.', _process_id, _process.supervisor,
            case when _run.run_no is null then 'it has not run yet, and' else format('its run %s said %s, and', _run.run_no, coalesce(_run.status, 'nothing')) end, explain_process.task_id),
            null, null, null, jsonb_build_object('task_id', explain_process.task_id, 'runs', coalesce(_run.run_no, 0), 'last_status', _run.status, 'failures', nullif(_run.failures, 0)));
        return;
    end if;
    select e.* into _ended from queues.process_ended as e where e.process_id = _process_id order by e.run_no desc, e.ended_at desc limit 1;
    if not found then
        answer := internal.explained(_subject, 'unknown', format('I don''t know: process %s (%s) has neither an open run nor an end.', _process_id, _process.supervisor),
            null, null, null, jsonb_build_object('hint', 'select queues.sweep_processes();'));
        return;
    end if;
    answer := internal.explained(_subject, 'process_ended', format('Process %s (%s) ended after run %s at %s as %s%s.', _process_id, _process.supervisor, _ended.run_no,
        internal.time_words(_ended.ended_at, _now), _ended.reason,
        case when internal.is_operator() then coalesce(': ' || rtrim(left(_ended.message, 1000), '.'), '') else '' end),
        _ended.ended_at, null, null, jsonb_build_object('end_reason', _ended.reason, 'runs', _ended.run_no, 'failures', nullif(_run.failures, 0), 'last_task_id', _run.task_id,
            'hint', case when _ended.reason in ('supervisor_failed', 'run_limit', 'quarantined', 'cancelled') then format('reeve process revive %s', _process_id) end));
end
$$;
comment on function internal.explain_process(bigint) is 'What a process waits for, or how it ended, and the task of its next run.';

create or replace function queues.why_process(_process_id bigint) returns queues.explanation
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _process constant record := internal.explain_process(_process_id);
    _answer queues.explanation := _process.answer;
    _task queues.explanation;
begin
    if _process.task_id is not null then
        _task := queues.why(_process.task_id);
        _answer := row(_answer.subject, _task.reason, _answer.sentence || ' ' || _task.sentence, _task.since, _task.until, _task.by_whom,
                       _task.evidence || _answer.evidence)::queues.explanation;
    end if;
    return _answer;
end
$$;
comment on function queues.why_process(bigint) is 'What a process waits for, or how it ended.';
