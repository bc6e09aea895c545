-- internal.run_task(...)
-- Runs one task in a subtransaction, with its handlers and, for a supervisor, its facts, and
-- says how it ended; writes no engine fact.  Outcome "transient": a passing error, the run left
-- nothing.  A cancelled statement (57014) is not caught: the whole call ends, and the program
-- records it.
create or replace function internal.run_task(_task_id bigint, _lease_no integer, _payload jsonb, _call text,
        _is_supervisor boolean, _process_id bigint, _facts_call text, _path text, _definer boolean)
    returns internal.run_end
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _name constant text := _payload->>'db_function';
    _end internal.run_end;
    _statement text;
    _answer jsonb;
    _detail text;
    _void text;
    _job_function text;
    _job_payload jsonb;
begin
    _end.task_id := _task_id;
    _end.lease_no := _lease_no;
    _end.started_at := clock_timestamp();
    _end.process_id := case when _is_supervisor then _process_id end;
    _end.has_raised := false;
    -- Set outside the subtransaction: the error handler runs after its end, under the same task.
    _void := set_config('reeve.task_id', _task_id::text, true);
    _void := set_config('reeve.lease_no', _lease_no::text, true);
    _void := set_config('reeve.process_id', coalesce(_process_id::text, ''), true);
    _void := set_config('reeve.enqueued', '', true);
    _void := set_config('reeve.quiet_runs', '', true);
    begin
        _end.error_source := 'engine';
        if _name is null then
            select j.function_name, j.payload into _job_function, _job_payload from internal.job_function(_task_id) as j;
        end if;
        if _job_function is not null then
            _end.facts := '"job"'; -- internal.run_batch ends it as one
            _end.error_source := 'function';
            _end.result := jsonb_build_object('body', left(coalesce(internal.run_job(_job_function, _job_payload), ''), 65536));
            _end.outcome := 'succeeded';
            _end.status := 'completed';
            return _end;
        elsif _name is null then
            raise exception using errcode = '22023', message = 'db_function field is missing in payload';
        elsif _call is null then
            raise exception using errcode = '42501', message = format('function "%s" is not registered', left(_name, 128));
        end if;
        _end.error_source := case when _is_supervisor then 'supervisor' else 'function' end;
        if _is_supervisor and _facts_call is distinct from '' then
            _end.facts := internal.read_facts(_process_id, _facts_call);
            _void := set_config('reeve.quiet_runs', internal.quiet_runs(_process_id, _end.facts)::text, true);
        end if;
        if _definer then
            _answer := internal.run_function(_name, _payload);
        else
            _statement := 'select ' || _call || '($1)';
            _void := set_config('search_path', _path, true);
            execute _statement into _answer using _payload;
            _void := pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
        end if;
        if _payload ? 'success_handler' and (internal.read_envelope(coalesce(_answer, '{}'))).is_success then
            perform internal.call_handler(_payload->>'success_handler', 'success_handler',
                jsonb_build_object('original_payload', _payload, 'worker_payload',
                    jsonb_build_object('status', 'succeeded', 'payload', _answer->'payload')));
        end if;
        _end.enqueued := nullif(current_setting('reeve.enqueued', true), '')::integer;
    exception when assert_failure or others then
        get stacked diagnostics _end.error = message_text, _end.error_sqlstate = returned_sqlstate,
                                _detail = pg_exception_detail;
        if _end.error_sqlstate in ('40001', '40P01', '55P03') then
            _end.outcome := 'transient';
            return _end;
        end if;
        _end.has_raised := true;
        if _end.facts = '"job"' then
            _end.outcome := 'failed';
            _end.status := 'failed';
            return _end;
        end if;
    end;
    return internal.judge_run(_end, _payload, _answer, _detail);
end
$$;
comment on function internal.run_task(bigint, integer, jsonb, text, boolean, bigint, text, text, boolean) is
    'Runs one task of database work in a subtransaction.';
