-- queues.why(_task_id)
-- What a task waits for, or why it ended as it did: one sentence, with evidence.  The reason is a fixed word (docs/why.md has the list);
-- unknown means that the database cannot know.  Texts of errors are for operators.  Sessions and queries are those that the caller may see.
create or replace function queues.why(_task_id bigint) returns queues.explanation
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _answer queues.explanation := internal.explain_task(_task_id);
    _run constant integer := (_answer.evidence->>'run_pid')::integer;
    _pids integer[];
    _holders jsonb;
begin
    if _run is not null then
        _pids := pg_blocking_pids(_run);
        -- The backend may have gone on to another task meanwhile.
        if cardinality(_pids) > 0 and internal.run_pid(_task_id) is not distinct from _run then
            _answer.reason := 'lock';
        else
            _pids := null;
        end if;
    elsif _answer.evidence ? 'locked_by' then
        _pids := array(select p::integer from jsonb_array_elements_text(_answer.evidence->'locked_by') as p);
    end if;
    if cardinality(_pids) > 0 then
        _holders := internal.lock_holders(_pids);
        _answer.evidence := _answer.evidence || jsonb_build_object('locked_by', to_jsonb(_pids), 'holders', _holders);
        if _answer.reason = 'lock' then
            _answer.by_whom := coalesce(_holders #>> '{0,user}', _answer.by_whom);
            _answer.since := coalesce((_holders #>> '{0,since}')::timestamptz, _answer.since);
            _answer.sentence := format('%s%s%s', rtrim(_answer.sentence, '.'),
                case when _run is null then '' else format(', which waits for a lock of session %s', array_to_string(_pids, ', ')) end,
                coalesce(format(' (user %s%s)', _holders #>> '{0,user}', ', ' || (_holders #>> '{0,state}')), '')
                || coalesce(': ' || left(regexp_replace(_holders #>> '{0,query}', '\s+', ' ', 'g'), 200), '') || '.');
        end if;
    end if;
    return _answer;
end
$$;
comment on function queues.why(bigint) is 'What a task waits for, or why it ended as it did.';
