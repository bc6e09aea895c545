-- queues.finish_batch(_worker_id, _task_ids, _lease_nos, _outcomes, _results, _errors, _error_classes)
-- Records several results in one transaction; an error in one does not touch the others.  The common case, a success, is written
-- out here: each handler runs in its own subtransaction, and the completions of all are inserted at the end.  All other cases go
-- through queues.finish.  Types that record their results themselves (hook finish) come first, all at once.
-- Security invoker: handlers run with the caller's rights.
create or replace function queues.finish_batch(_worker_id uuid, _task_ids bigint[], _lease_nos integer[], _outcomes text[],
        _results jsonb[] default null, _errors text[] default null, _error_classes text[] default null)
    returns table (task_id bigint, result text, error text, sqlstate text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _path constant text := internal.text_setting('handler_search_path');
    _definer constant boolean := internal.text_setting('runner_mode') = 'definer';
    _task record;
    _input jsonb;
    _statement text;
    _answer jsonb;
    _verdict internal.verdict;
    _failure text;
    _state text;
    _void text;
    _ids bigint[] := array[]::bigint[];
    _nos integer[] := array[]::integer[];
    _started timestamptz[] := array[]::timestamptz[];
    _kept jsonb[] := array[]::jsonb[];
    _ended bigint[] := array[]::bigint[];
    _more bigint[];
    _hook text;
begin
    perform internal.require_read_committed('finish');
    perform internal.check_pairs(_task_ids, _lease_nos);
    if cardinality(_outcomes) is distinct from cardinality(_task_ids)
       or cardinality(coalesce(_results, array_fill(null::jsonb, array[cardinality(_task_ids)]))) <> cardinality(_task_ids)
       or cardinality(coalesce(_errors, array_fill(null::text, array[cardinality(_task_ids)]))) <> cardinality(_task_ids)
       or cardinality(coalesce(_error_classes, array_fill(null::text, array[cardinality(_task_ids)]))) <> cardinality(_task_ids) then
        raise exception using errcode = '22023', message = 'arrays are of different length';
    end if;
    for _hook in select distinct h.hook from internal.hooks_of(_task_ids, 'finish') as h loop
        execute format('select array(select %s($1, $2, $3, $4, $5, $6, $7))', _hook) into _more
        using _worker_id, _task_ids, _lease_nos, _outcomes, _results, _errors, _error_classes;
        _ended := _ended || _more;
    end loop;
    if cardinality(_ended) > 0 then
        return query select e, 'completed'::text, null::text, null::text from unnest(_ended) as e;
        if cardinality(_ended) = cardinality(_task_ids) then
            return;
        end if;
    end if;
    for _task in
        select f.* from internal.begin_finishes(_worker_id, _task_ids, _lease_nos, _outcomes, _results, _errors) as f
        where f.task_id <> all(_ended)
    loop
        task_id := _task.task_id;
        result := null;
        error := null;
        sqlstate := null;
        _failure := null;
        -- No user code runs here, so there is no subtransaction.
        if _task.is_plain and not _definer and _task.call is null then
            _ids := _ids || _task.task_id;
            _nos := _nos || _task.lease_no;
            _started := _started || _task.started_at;
            _kept := _kept || _task.result;
            result := 'completed';
            return next;
            continue;
        end if;
        begin
            if not _task.is_plain or _definer then
                result := queues.finish(_worker_id, _task.task_id, _task.lease_no, _outcomes[_task.n], _results[_task.n],
                                        _errors[_task.n], _error_classes[_task.n]);
                return next;
                continue;
            end if;
            if _task.call is not null then
                _void := set_config('reeve.task_id', _task.task_id::text, true);
                _input := case when _task.result is null then jsonb_build_object('original_payload', _task.payload)
                               else jsonb_build_object('original_payload', _task.payload, 'worker_payload', _task.result) end;
                _statement := 'select ' || _task.call || '($1)';
                _void := set_config('search_path', _path, true);
                execute _statement into _answer using _input;
                _void := pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
                if _answer is distinct from '{"status": "succeeded"}' then
                    _verdict := internal.read_envelope(_answer);
                    if not _verdict.is_success then
                        raise exception using errcode = 'QU003', message = format('success handler %s returned status: %s%s',
                            _task.handler, _verdict.status, coalesce(': ' || _verdict.error, ''));
                    end if;
                end if;
            end if;
        exception when assert_failure or others then
            get stacked diagnostics _failure = message_text, _state = returned_sqlstate;
        end;
        if _failure is null then
            _ids := _ids || _task.task_id;
            _nos := _nos || _task.lease_no;
            _started := _started || _task.started_at;
            _kept := _kept || _task.result;
            result := 'completed';
        elsif not _task.is_plain or _definer or internal.is_passing(_state) then
            error := _failure;
            sqlstate := _state;
        else
            -- The result is kept, and only the handler runs again.
            begin
                _failure := case when _state = 'QU003' then _failure
                                 else format('success handler %s failed: %s', _task.handler, _failure) end;
                result := internal.end_finish(_worker_id, _task.task_id, _task.lease_no,
                    internal.begin_finish(_worker_id, _task.task_id, _task.lease_no, _outcomes[_task.n], _results[_task.n],
                                          null, null), _failure, _state);
            exception when assert_failure or others then
                get stacked diagnostics _failure = message_text, _state = returned_sqlstate;
            end;
            if result is null then
                error := _failure;
                sqlstate := _state;
            end if;
        end if;
        return next;
    end loop;
    perform set_config('reeve.task_id', '', true);
    if cardinality(_ids) > 0 then
        perform internal.end_finishes(_worker_id, _ids, _nos, _started, _kept);
    end if;
end
$$;
comment on function queues.finish_batch(uuid, bigint[], integer[], text[], jsonb[], text[], text[]) is
    'Records the results of several leases in one transaction.';
