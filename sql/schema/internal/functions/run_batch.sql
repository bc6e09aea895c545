-- internal.run_batch(_worker_id, _task_ids, _lease_nos, _budget, _raise_transient)
-- The shell of queues.execute and queues.execute_batch.  Security invoker, so that user
-- code runs with the caller's rights; the steps before and after are definer functions.
-- What runs locked stays locked until the batch ends, so the order is that of processes
-- (internal.begin_execute), and their rows come last of all (internal.end_execute).
-- The common case, a function without handlers or process, is written out here: a call of
-- internal.run_task would cost as much as the function itself.
create or replace function internal.run_batch(_worker_id uuid, _task_ids bigint[], _lease_nos integer[],
        _budget interval, _raise_transient boolean)
    returns table (task_id bigint, outcome text, status text, error text, sqlstate text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _stop_at constant timestamptz := clock_timestamp() + _budget;
    _path constant text := internal.text_setting('handler_search_path');
    _definer constant boolean := internal.text_setting('runner_mode') = 'definer';
    -- Lets others see a run and its backend.  Nobody else looks at a test transaction.
    _is_shown constant boolean := _worker_id <> '00000000-0000-4000-8000-000000000001';
    _task record;
    _answer jsonb;
    _started_at timestamptz;
    _detail text;
    _ids bigint[] := array[]::bigint[];
    _nos integer[] := array[]::integer[];
    _started timestamptz[] := array[]::timestamptz[];
    _end internal.run_end;
    _none constant internal.run_end := null;
    _ends internal.run_end[] := array[]::internal.run_end[];
    _retries internal.run_end[] := array[]::internal.run_end[];
    _jobs internal.run_end[] := array[]::internal.run_end[];
    _cancelled bigint[];
    _void text;
begin
    perform internal.require_read_committed('execute');
    for _task in select * from internal.begin_execute(_worker_id, _task_ids, _lease_nos) loop
        task_id := _task.task_id;
        outcome := null;
        status := null;
        error := null;
        sqlstate := null;
        if _task.fence is not null then
            if _task.fence = 'completed' then
                select r.outcome, r.status into outcome, status from internal.recorded_end(_task.task_id) as r;
            elsif _task.fence = 'busy' then
                sqlstate := '55P03';
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
        _cancelled := coalesce(_cancelled, internal.cancel_requests(_task_ids));
        if _task.task_id = any(_cancelled) then
            perform internal.cancel_running(_worker_id, _task.task_id, _task.lease_no);
            outcome := 'cancelled';
            status := 'cancelled';
            return next;
            continue;
        end if;
        -- Of one process only one run: the next one must see its end.
        exit when cardinality(_ids) + cardinality(_ends) + cardinality(_jobs) > 0
                  and (clock_timestamp() >= _stop_at or (_task.is_supervisor and _task.process_id = _end.process_id));
        if _is_shown then
            _void := pg_try_advisory_xact_lock_shared(20546, (_task.task_id & 2147483647)::integer);
        end if;

        if _task.is_plain and not _definer then
            _end := _none;
            _started_at := clock_timestamp();
            _void := set_config('reeve.task_id', _task.task_id::text, true);
            _void := set_config('reeve.lease_no', _task.lease_no::text, true);
            _void := set_config('reeve.process_id', '', true);
            if current_setting('search_path') <> _path then
                _void := set_config('search_path', _path, true); -- setting it is not free: names are looked up anew
            end if;
            begin
                execute 'select ' || _task.call || '($1)' into _answer using _task.payload;
                if _answer = '{"status": "succeeded"}' then
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
                                        _detail = pg_exception_detail;
                _end.has_raised := true;
            end;
            _end.task_id := _task.task_id;
            _end.lease_no := _task.lease_no;
            _end.started_at := _started_at;
            _end.error_source := 'function';
            if _end.error_sqlstate in ('40001', '40P01', '55P03') then
                _end.outcome := 'transient';
            else
                _end := internal.judge_run(_end, _task.payload, _answer, _detail);
            end if;
        else
            _end := internal.run_task(_task.task_id, _task.lease_no, _task.payload, _task.call, _task.is_supervisor,
                                      _task.process_id, _task.facts_call, _path, _definer);
        end if;
        if _end.outcome = 'transient' then
            if _raise_transient then
                raise exception using errcode = _end.error_sqlstate, message = _end.error;
            end if;
            _retries := _retries || _end;
            continue;
        end if;
        if _end.facts = '"job"' and not coalesce(_task.is_supervisor, false) then
            _jobs := _jobs || _end;
        else
            _ends := _ends || _end;
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
    if cardinality(_jobs) > 0 then
        perform internal.end_runs(_worker_id, array(select j.task_id from unnest(_jobs) as j), array(select j.lease_no from unnest(_jobs) as j),
            array(select j.outcome from unnest(_jobs) as j), array(select j.result from unnest(_jobs) as j),
            array(select j.error from unnest(_jobs) as j), array(select 'handler'::text from unnest(_jobs) as j));
    end if;
    foreach _end in array _retries loop
        task_id := _end.task_id;
        outcome := queues.finish(_worker_id, _end.task_id, _end.lease_no, 'transient', null, 'passing error', null);
        status := null;
        error := null;
        sqlstate := _end.error_sqlstate;
        return next;
    end loop;
    perform set_config('reeve.task_id', '', true), set_config('reeve.lease_no', '', true),
            set_config('reeve.process_id', '', true), set_config('reeve.enqueued', '', true),
            set_config('reeve.quiet_runs', '', true);
end
$$;
comment on function internal.run_batch(uuid, bigint[], integer[], interval, boolean) is
    'Runs leased database work and completes it.';
