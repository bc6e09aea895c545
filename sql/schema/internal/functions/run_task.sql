-- internal.run_task(...)
-- Runs one task in a subtransaction and says how it ended; writes no engine fact.
-- Outcome "transient": a passing error, the run left nothing.
-- A cancelled statement (57014) is not caught: the whole call ends, and the program
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
    _answer jsonb;
    _verdict internal.verdict;
    _detail text;
begin
    _end.task_id := _task_id;
    _end.lease_no := _lease_no;
    _end.started_at := clock_timestamp();
    _end.process_id := case when _is_supervisor then _process_id end;
    _end.has_raised := false;
    _end.error_source := case when _is_supervisor then 'supervisor' else 'function' end;
    -- Set outside the subtransaction: the error handler runs after its end, under the same task.
    perform set_config('reeve.task_id', _task_id::text, true), set_config('reeve.lease_no', _lease_no::text, true),
            set_config('reeve.process_id', coalesce(_process_id::text, ''), true),
            set_config('reeve.enqueued', '', true), set_config('reeve.quiet_runs', '', true),
            set_config('search_path', _path, true);
    begin
        if _name is null then
            raise exception using errcode = '22023', message = 'db_function field is missing in payload';
        elsif _call is null then
            raise exception using errcode = '42501', message = format('function "%s" is not registered', left(_name, 128));
        end if;
        if _is_supervisor then
            _end.facts := internal.read_facts(_process_id, _facts_call);
            perform set_config('reeve.quiet_runs', internal.quiet_runs(_process_id, _end.facts)::text, true);
        end if;
        if _definer then
            _answer := internal.run_function(_name, _payload);
        else
            execute 'select ' || _call || '($1)' into _answer using _payload;
        end if;
        if _answer->>'status' = 'succeeded' and not _answer ?| array['error', 'validation_failure_message', 'success'] then
            _verdict := row('succeeded', 'succeeded', null, true)::internal.verdict;
        else
            _verdict := internal.read_envelope(coalesce(_answer, '{}'));
        end if;
        if _verdict.is_success and _payload ? 'success_handler' then
            perform internal.call_handler(_payload->>'success_handler', 'success_handler',
                jsonb_build_object('original_payload', _payload, 'worker_payload',
                    jsonb_build_object('status', _verdict.status, 'payload', _answer->'payload')));
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
        _verdict := row('failed', 'failed', case when _call is null then _end.error
            else format('function %s failed: %s', _name, _end.error) end, false)::internal.verdict;
        if _detail <> '' and internal.text_setting('error_detail') = 'true' then
            _verdict.error := _verdict.error || E'\nDetail: ' || _detail;
        end if;
    end;
    _end.outcome := _verdict.outcome;
    _end.status := _verdict.status;
    _end.error := _verdict.error;
    if jsonb_typeof(_answer) = 'object' and _answer ? 'payload' and not _end.has_raised then
        _end.facts := coalesce(_answer #> '{payload,facts}', _end.facts);
        _end.result := internal.bounded(_answer->'payload');
    end if;
    if not _verdict.is_success and _payload ? 'error_handler' then
        _end.handler_error := internal.call_error_handler(_payload,
            coalesce(_verdict.error, format('function %s returned status: %s', _name, _verdict.status)),
            _verdict.status = 'validation_failed', case when not _end.has_raised then
                jsonb_build_object('status', _verdict.status, 'payload', _answer->'payload') end);
    end if;
    return _end;
end
$$;
comment on function internal.run_task(bigint, integer, jsonb, text, boolean, bigint, text, text, boolean) is
    'Runs one task of database work in a subtransaction.';
