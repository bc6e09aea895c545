-- internal.judge_before(_handler, _adapter, _answer, _error, _sqlstate)
-- Decides what the answer of a before handler, or its error, means: a request to send, an end without a call because the effect
-- exists already, or a problem with its class.
create or replace function internal.judge_before(_handler text, _adapter text, _answer jsonb, _error text, _sqlstate text,
        out request jsonb, out is_already_done boolean, out problem text, out error_class text)
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _verdict internal.verdict;
begin
    is_already_done := false;
    error_class := 'handler';
    if _error is not null then
        problem := case when _sqlstate = 'QU007' then _error
                        else format('before handler %s failed: %s', _handler, _error) end;
        return;
    end if;
    _verdict := internal.read_envelope(_answer);
    if _verdict.status = 'already_done' and _verdict.outcome = 'non_success' then
        is_already_done := true;
        return;
    elsif not _verdict.is_success then
        problem := format('before handler %s returned status: %s%s', _handler, _verdict.status,
                          coalesce(': ' || _verdict.error, ''));
        error_class := case when _verdict.status = 'validation_failed' then 'validation' else 'handler' end;
        return;
    elsif jsonb_typeof(_answer->'payload') is distinct from 'object' then
        problem := format('before handler %s did not return payload', _handler);
        return;
    end if;
    request := _answer->'payload';
    problem := internal.request_problem(_adapter, request);
    error_class := 'payload';
end
$$;
comment on function internal.judge_before(text, text, jsonb, text, text) is 'Meaning of the answer of a before handler.';
