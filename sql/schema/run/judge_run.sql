-- internal.judge_run(_worker_id, _end, _payload, _answer, _detail)
-- Decides what the answer of a function, or its error, means for its task.  If an error handler is named, it is called for
-- everything but success.
create or replace function internal.judge_run(_worker_id uuid, _end internal.run_end, _payload jsonb, _answer jsonb, _detail text)
    returns internal.run_end
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _name constant text := _payload->>'db_function';
    _verdict internal.verdict;
begin
    if _end.has_raised then
        -- Refusals before the call (22023, 42501 without a function) need no other text.
        _end.outcome := 'failed';
        _end.status := 'failed';
        _end.is_final := _end.error_sqlstate = 'QU011';
        if _end.error_source = 'success_handler' then
            _end.error := format('success handler %s failed: %s', _payload->>'success_handler', _end.error);
        elsif _end.error_source = 'facts_function' then
            _end.error := format('facts function of %s failed: %s', _name, _end.error);
        elsif _end.error_source <> 'engine' then
            _end.error := format('function %s failed: %s', _name, _end.error);
        else
            _end.error_source := 'function';
        end if;
        if _detail <> '' and internal.text_setting('error_detail') = 'true' then
            _end.error := _end.error || E'\nDetail: ' || _detail;
        end if;
    else
        if jsonb_typeof(_answer->'status') = 'string' and not _answer ?| array['error', 'validation_failure_message', 'success'] then
            _end.status := left(_answer->>'status', 1024); -- as internal.read_envelope, for the usual answer
            _end.outcome := case _end.status when 'succeeded' then 'succeeded' else 'non_success' end;
        else
            _verdict := internal.read_envelope(coalesce(_answer, '{}'));
            _end.outcome := _verdict.outcome;
            _end.status := _verdict.status;
            _end.error := _verdict.error;
        end if;
        if _end.outcome <> 'succeeded' and _answer ?| array['final', 'retry_after'] then
            _end.is_final := _answer->'final' = 'true';
            _end.retry_after := internal.asked_wait(_answer);
        end if;
        if jsonb_typeof(_answer) = 'object' and _answer ? 'payload' then
            _end.facts := coalesce(_answer #> '{payload,facts}', _end.facts);
            _end.result := internal.bounded(_answer->'payload');
        end if;
    end if;
    if _end.outcome <> 'succeeded' and _payload ? 'error_handler' then
        _end.handler_error := internal.call_error_handler(_worker_id, _end, _payload->>'error_handler',
            coalesce(_end.error, format('function %s returned status: %s', _name, _end.status)),
            case when not _end.has_raised then jsonb_build_object('status', _end.status, 'payload', _answer->'payload') end);
    end if;
    return _end;
end
$$;
comment on function internal.judge_run(uuid, internal.run_end, jsonb, jsonb, text) is 'What the end of a run means for its task.';
