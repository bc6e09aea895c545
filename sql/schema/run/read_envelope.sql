-- internal.read_envelope(_answer)
-- Decides what the answer of a function or handler means.  Three shapes are in use: status; success, error or
-- validation_failure_message; error alone.  Every other answer is no success.  The first match wins.  A status is cut to 1024 characters.
create or replace function internal.read_envelope(_answer jsonb) returns internal.verdict
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _status constant jsonb := case when jsonb_typeof(_answer) = 'object' then nullif(_answer->'status', 'null') end;
    _word constant text := case when jsonb_typeof(_status) = 'string' then left(_answer->>'status', 1024) end;
    _success constant jsonb := case when jsonb_typeof(_answer) = 'object' then nullif(_answer->'success', 'null') end;
    _error text;
    _invalid text;
begin
    if _answer is null then
        return row('non_success', 'no_status', null, false)::internal.verdict;
    end if;
    if jsonb_typeof(_answer) <> 'object' then
        return row('failed', 'invalid_envelope', format('answer is a JSON %s, not an object', jsonb_typeof(_answer)), false)::internal.verdict;
    end if;
    _error := nullif(_answer->>'error', '');
    if _error is not null then
        return row('failed', case when _word <> 'succeeded' then _word else 'error' end, _error, false)::internal.verdict;
    end if;
    _invalid := nullif(_answer->>'validation_failure_message', '');
    if _invalid is not null then
        return row('failed', 'validation_failed', _invalid, false)::internal.verdict;
    end if;
    if _success = 'false' then
        return row('failed', coalesce(_word, 'failed'),
                   'function reported no success', false)::internal.verdict;
    end if;
    if _status = '"succeeded"' then
        return row('succeeded', 'succeeded', null, true)::internal.verdict;
    elsif _word is not null then
        return row('non_success', _word, null, false)::internal.verdict;
    elsif _status is not null then
        return row('failed', 'invalid_status', format('status is a JSON %s, not a string', jsonb_typeof(_status)), false)::internal.verdict;
    elsif _success = 'true' then
        return row('succeeded', 'succeeded', null, true)::internal.verdict;
    elsif _success is not null then
        return row('failed', 'invalid_envelope', format('success is a JSON %s, not a boolean', jsonb_typeof(_success)), false)::internal.verdict;
    end if;
    return row('non_success', 'no_status', null, false)::internal.verdict;
end
$$;
comment on function internal.read_envelope(jsonb) is 'Meaning of the answer of a function or handler.';
