-- internal.run_task(_worker_id, _task_id, _lease_no, _payload, _is_registered, _process_id, _is_supervisor, _reads_facts)
-- Runs one task in a subtransaction, with its handlers and, for a supervisor, its facts, and returns its end.  It writes no engine
-- fact.  Outcome "transient": a passing error; the run is rolled back.  A cancelled statement (57014) is not caught: the whole call
-- ends, and the program records it.
create or replace function internal.run_task(_worker_id uuid, _task_id bigint, _lease_no integer, _payload jsonb, _is_registered boolean,
        _process_id bigint, _is_supervisor boolean, _reads_facts boolean) returns internal.run_end
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _name constant text := _payload->>'db_function';
    _end internal.run_end;
    _answer jsonb;
    _detail text;
    _void text;
begin
    _end.task_id := _task_id;
    _end.lease_no := _lease_no;
    _end.started_at := clock_timestamp();
    _end.process_id := case when _is_supervisor then _process_id end;
    _end.has_raised := false;
    -- Set outside the subtransaction: the error handler runs after its end, under the same task.
    _void := set_config('reeve.task_id', _task_id::text, true);
    _void := set_config('reeve.enqueued', '', true);
    _void := set_config('reeve.quiet_runs', '', true);
    begin
        _end.error_source := 'engine';
        if _name is null then
            raise exception using errcode = '22023', message = 'db_function field is missing in payload';
        elsif not _is_registered then
            raise exception using errcode = 'QU007', message = format('function "%s" is not registered', left(_name, 128));
        end if;
        if _reads_facts then
            _end.error_source := 'facts_function';
            _end.facts := internal.read_facts(_worker_id, _task_id, _lease_no);
            _void := set_config('reeve.quiet_runs', internal.leased_quiet_runs(_worker_id, _task_id, _lease_no, _end.facts)::text, true);
        end if;
        _end.error_source := case when _is_supervisor then 'supervisor' else 'function' end;
        _answer := internal.run_leased(_worker_id, _task_id, _lease_no, 'db_function');
        if _payload ? 'success_handler' and (internal.read_envelope(coalesce(_answer, '{}'))).is_success then
            _end.error_source := 'success_handler';
            perform internal.call_handler(_worker_id, _task_id, _lease_no, 'success_handler', _payload->>'success_handler',
                jsonb_build_object('worker_payload', jsonb_build_object('status', 'succeeded', 'payload', _answer->'payload')));
        end if;
        _end.enqueued := nullif(current_setting('reeve.enqueued', true), '')::integer;
    exception when assert_failure or others then
        get stacked diagnostics _end.error = message_text, _end.error_sqlstate = returned_sqlstate,
                                _detail = pg_exception_detail;
        if internal.is_passing(_end.error_sqlstate) then
            _end.outcome := 'transient';
            return _end;
        end if;
        _end.has_raised := true;
    end;
    return internal.judge_run(_worker_id, _end, _payload, _answer, _detail);
end
$$;
comment on function internal.run_task(uuid, bigint, integer, jsonb, boolean, bigint, boolean, boolean) is
    'Runs one task of database work in a subtransaction.';
