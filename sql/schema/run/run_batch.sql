-- internal.run_batch(_worker_id, _task_ids, _lease_nos, _budget, _raise_transient)
-- The loop of queues.execute and queues.execute_batch.  Security invoker, so that user code runs with the caller's rights; the
-- steps before and after are definer functions.
-- All rows of the batch stay locked until its end, also those that it does not reach.  So they are locked in the order of processes
-- (internal.begin_execute), and the rows of processes are locked last (internal.end_execute).
-- User code may leave another search_path behind: the statement after each call sets it again, before another name is looked up.
-- The common case, one call, is written out here: another call would cost as much as the function itself.
-- name and line are for the log of the worker: the function that failed, and its error without values of the payload.  They are null for
-- kinds of runs whose payload is elsewhere; internal.ended_as looks these up.
-- A type may replace steps by functions of its own (hooks: judge, run, end).
create or replace function internal.run_batch(_worker_id uuid, _task_ids bigint[], _lease_nos integer[],
        _budget interval, _raise_transient boolean)
    returns table (task_id bigint, outcome text, status text, error text, sqlstate text, name text, line text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _stop_at constant timestamptz := clock_timestamp() + _budget;
    _path constant text := internal.text_setting('handler_search_path');
    _definer constant boolean := internal.text_setting('runner_mode') = 'definer';
    -- The advisory lock shows a run and its backend to others.  Nobody looks at a test transaction.
    _is_shown constant boolean := _worker_id <> '00000000-0000-4000-8000-000000000001';
    _task record;
    _statement text;
    _answer jsonb;
    _started_at timestamptz;
    _detail text;
    _context text;
    _hint text;
    _ids bigint[] := array[]::bigint[];
    _nos integer[] := array[]::integer[];
    _started timestamptz[] := array[]::timestamptz[];
    _end internal.run_end;
    _none constant internal.run_end := null;
    _nothing constant jsonb := '{}'::jsonb;
    _ends internal.run_end[] := array[]::internal.run_end[];
    _retries internal.run_end[] := array[]::internal.run_end[];
    _hooked internal.run_end[] := array[]::internal.run_end[]; -- ends that an end hook records
    _end_hooks text[] := array[]::text[]; -- the end hook of each
    _hook text;
    _hooked_end internal.run_end[]; -- one element, since a composite result would be planned as a table
    _watched bigint[] := array[]::bigint[];
    _parents bigint[] := array[]::bigint[]; -- parents of tasks that ended
    _has_run boolean := false;
    _cancelled bigint[];
    _void text;
begin
    perform internal.require_read_committed('execute');
    for _task in select * from internal.begin_execute(_worker_id, _task_ids, _lease_nos) loop
        task_id := _task.task_id;
        outcome := null;
        status := null;
        name := null;
        line := null;
        error := null;
        sqlstate := null;
        if _task.fence is not null then
            if _task.fence = 'completed' then
                select r.outcome, r.status into outcome, status from internal.recorded_end(_worker_id, _task.task_id, _task.lease_no) as r;
            elsif _task.fence = 'waiting' then
                outcome := 'waiting';
                status := 'waiting';
            elsif _task.fence = 'busy' then
                sqlstate := 'QU008';
                error := format('task %s is being run by another session', _task.task_id);
            elsif _task.fence = 'not_executed' then
                raise exception using errcode = '22023', message = 'only database work is executed',
                    hint = 'Tasks of channels go through queues.begin_dispatch and queues.finish.';
            else
                sqlstate := 'QU002';
                error := format('lease %s of task %s is superseded, unknown or of another worker', _task.lease_no, _task.task_id);
            end if;
            return next;
            continue;
        end if;
        _cancelled := coalesce(_cancelled, internal.cancel_requests(_worker_id, _task_ids));
        if _task.task_id = any(_cancelled) then
            perform internal.cancel_running(_worker_id, _task.task_id, _task.lease_no);
            outcome := 'cancelled';
            status := 'cancelled';
            return next;
            continue;
        end if;
        -- One run per process and batch: the next run must see the end of this one.
        exit when _has_run
                  and (clock_timestamp() >= _stop_at or (_task.is_supervisor and _task.process_id = _end.process_id));
        if _is_shown then
            _void := pg_try_advisory_xact_lock_shared(20546, (_task.task_id & 2147483647)::integer);
        end if;

        _has_run := true;
        if _task.is_watched then
            _watched := _watched || _task.task_id;
        end if;
        if _task.hooks is not null then
            _void := set_config('reeve.report', '', true);
        end if;
        if _task.is_plain and not _definer then
            _end := _none;
            _started_at := clock_timestamp();
            _void := set_config('reeve.task_id', _task.task_id::text, true);
            begin
                _statement := _task.statement;
                _answer := null;
                _void := set_config('search_path', _path, true);
                if _task.has_answer then
                    execute _statement into _answer using _task.payload, _nothing;
                else
                    execute _statement using _task.payload;
                end if;
                _void := pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
                if coalesce(_answer, _nothing) = _task.plain_answer
                   and (_task.hooks is null or current_setting('reeve.report', true) = '') then
                    if _task.parent_id is not null and _task.parent_id <> all(_parents) then
                        _parents := _parents || _task.parent_id;
                    end if;
                    _ids := _ids || _task.task_id;
                    _nos := _nos || _task.lease_no;
                    _started := _started || _started_at;
                    outcome := 'succeeded';
                    status := 'succeeded';
                    return next;
                    continue;
                end if;
                _end.has_raised := false;
            exception when assert_failure or others then
                get stacked diagnostics _end.error = message_text, _end.error_sqlstate = returned_sqlstate,
                    _detail = pg_exception_detail, _context = pg_exception_context, _hint = pg_exception_hint;
                _end.has_raised := true;
            end;
            _end.task_id := _task.task_id;
            _end.lease_no := _task.lease_no;
            _end.started_at := _started_at;
            _end.error_source := 'function';
            if internal.is_passing(_end.error_sqlstate) then
                _end.outcome := 'transient';
            elsif _task.hooks ? 'judge' then
                execute format('select array[%s($1, $2, $3, $4, $5, $6, $7, $8)]', _task.hooks->>'judge') into _hooked_end
                using _worker_id, _end, _task.payload, _answer, _statement, _detail, _context, _hint;
                _end := _hooked_end[1];
            else
                _end := internal.judge_run(_worker_id, _end, _task.payload, _answer, _detail);
                if _end.error is not null then
                    name := left(_task.payload->>'db_function', 128);
                    line := internal.logged_line(_end.error, jsonb_build_array(_task.payload));
                end if;
            end if;
        elsif _task.hooks ? 'run' then
            execute format('select array[%s($1, $2, $3)]', _task.hooks->>'run') into _hooked_end
            using _worker_id, _task.task_id, _task.lease_no;
            _end := _hooked_end[1];
        else
            _end := internal.run_task(_worker_id, _task.task_id, _task.lease_no, _task.payload, _task.statement is not null,
                                      _task.process_id, coalesce(_task.is_supervisor, false), _task.reads_facts);
        end if;
        if _end.outcome = 'transient' then
            if _raise_transient then
                raise exception using errcode = _end.error_sqlstate, message = _end.error;
            end if;
            _retries := _retries || _end;
            continue;
        end if;
        if _task.hooks ? 'end' then
            _hooked := _hooked || _end;
            _end_hooks := _end_hooks || (_task.hooks->>'end');
        elsif _end.outcome <> 'waiting' then
            _ends := _ends || _end;
            if _task.parent_id is not null and _task.parent_id <> all(_parents) then
                _parents := _parents || _task.parent_id;
            end if;
        end if;
        outcome := _end.outcome;
        status := _end.status;
        error := _end.error;
        sqlstate := _end.error_sqlstate;
        return next;
    end loop;
    if cardinality(_ids) + cardinality(_ends) > 0 then
        perform internal.end_execute(_worker_id, _ids, _nos, _started, _ends);
    end if;
    for _hook in select distinct h from unnest(_end_hooks) as h loop
        execute format('select %s($1, $2)', _hook)
        using _worker_id, array(select _hooked[i] from generate_subscripts(_hooked, 1) as i where _end_hooks[i] = _hook);
    end loop;
    if cardinality(_watched) > 0 then
        perform internal.notify_changed(_watched);
    end if;
    if cardinality(_parents) > 0 then
        perform internal.close_parents(_parents);
    end if;
    foreach _end in array _retries loop
        task_id := _end.task_id;
        outcome := queues.finish(_worker_id, _end.task_id, _end.lease_no, 'transient', null, _end.error, _end.error_sqlstate);
        status := null;
        error := null;
        sqlstate := _end.error_sqlstate;
        name := null;
        line := null;
        return next;
    end loop;
    -- Tasks that the batch did not reach were locked all the time, so nobody could renew their leases.
    if clock_timestamp() > _stop_at + interval '100 milliseconds' then
        perform internal.keep_leases(_worker_id, _task_ids, _lease_nos);
    end if;
    perform set_config('reeve.task_id', '', true), set_config('reeve.enqueued', '', true),
            set_config('reeve.quiet_runs', '', true), set_config('reeve.report', '', true);
end
$$;
comment on function internal.run_batch(uuid, bigint[], integer[], interval, boolean) is
    'Runs leased database work and completes it.';
