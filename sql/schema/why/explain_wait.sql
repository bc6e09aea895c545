-- internal.explain_wait(_row, _locker)
-- What a waiting task waits for.  Several reasons may hold at once: the first one that must pass is the answer, and the others are in the
-- evidence, under also.  _locker: the backend that holds the row of the task; null: none.
create or replace function internal.explain_wait(_row queues.ready, _locker integer) returns queues.explanation
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _now constant timestamptz := queues.clock();
    _subject constant text := 'task ' || _row.task_id;
    _found queues.explanation[] := array[]::queues.explanation[];
    _answer queues.explanation;
    _one queues.explanation;
    _stored record;
    _names text[];
    _merges integer;
    _doubt timestamptz;
begin
    if _row.phase in ('w', 'b') then
        _found := array[internal.explain_tree(_row)];
    else
        if _row.phase = 'h' then
            select * into _stored from internal.stored_result(_row.task_id);
            _found := _found || internal.explained(_subject, case when _stored.outcome = 'in_doubt' then 'in_doubt' else 'handler_pending' end,
                format('Task %s has its result (%s), and only its handler is left to run%s.', _row.task_id, coalesce(replace(_stored.outcome, '_', ' '), 'not known'),
                    case when _row.available_at > _now then ', which is tried again at ' || internal.time_words(_row.available_at, _now) else '' end),
                null, case when _row.available_at > _now then _row.available_at end, null,
                jsonb_build_object('outcome', _stored.outcome, 'handler_failures', _row.handler_failures,
                                   'error', (select e.words from internal.last_error_words(_row.task_id) as e)));
        elsif _row.available_at > _now then
            _found := _found || internal.explain_time(_row, _now);
        end if;
        for _one in select * from internal.explain_workers(_row, _now) union all select * from internal.explain_queue(_row, _now) loop
            _found := _found || _one;
        end loop;
        if _locker is not null then
            _found := _found || internal.explained(_subject, 'lock', format('%s holds the row of task %s, so claims pass over it.',
                case _locker when 0 then 'An open transaction' else 'Session ' || _locker end, _row.task_id),
                null, null, null, jsonb_build_object('locked_by', jsonb_build_array(_locker)));
        end if;
        if cardinality(_found) = 0 or _row.phase = 'h' and cardinality(_found) = 1 and _row.available_at <= _now then
            _found := _found || internal.explain_turn(_row, _now);
        end if;
        select internal.unregistered_names(_row.type_id, coalesce(_row.payload, t.payload)) into _names from queues.task as t where t.task_id = _row.task_id;
        if _names is not null then
            _found := _found || internal.explained(_subject, 'function_not_registered', format('Task %s will fail when it runs: it names %s, which is not registered.',
                _row.task_id, case when internal.is_operator() then array_to_string(_names, ', ') else 'a function or command' end));
        end if;
    end if;
    select e.created_at into _doubt from queues.error as e
    where e.task_id = _row.task_id and e.error_class = 'in_doubt' order by e.error_id desc limit 1;
    if _doubt is not null then
        _found := _found || internal.explained(_subject, 'in_doubt', format('Task %s was sent without an answer before %s, and is sent again with the same key.',
            _row.task_id, internal.time_words(_doubt, _now)), _doubt);
    end if;
    select count(*) into _merges from (select 1 from queues.merging as m where m.task_id = _row.task_id limit 1000) as m;
    if _merges > 0 then
        _found := _found || internal.explained(_subject, 'merged', format('%s%s payload(s) were merged into task %s and run with it.',
            case when _merges >= 1000 then 'At least ' else '' end, _merges, _row.task_id));
    end if;
    _answer := _found[1];
    if cardinality(_found) > 1 then
        _answer.evidence := _answer.evidence || jsonb_build_object('also',
            (select jsonb_agg(jsonb_build_object('reason', f.reason, 'sentence', f.sentence) order by f.nth)
             from unnest(_found) with ordinality as f(subject, reason, sentence, since, until, by_whom, evidence, nth) where f.nth > 1));
        if not _answer.evidence ? 'locked_by' then
            _answer.evidence := _answer.evidence || coalesce((select jsonb_build_object('locked_by', f.evidence->'locked_by')
                from unnest(_found) as f where f.evidence ? 'locked_by' limit 1), '{}');
        end if;
    end if;
    return _answer;
end
$$;
comment on function internal.explain_wait(queues.ready, integer) is 'What a waiting task waits for.';
