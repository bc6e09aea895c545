-- internal.run_one(_worker_id, _task_id, _lease_no)
-- The body of queues.execute: runs one leased task and completes it.  The common kind (internal.begin_plain) is written out here,
-- because its start must be fast; everything else is a batch of one.  Security invoker, like internal.run_batch; it also sets the
-- search_path again after the call.
create or replace function internal.run_one(_worker_id uuid, _task_id bigint, _lease_no integer,
        out outcome text, out status text, out error text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _task record;
    _run record;
    _statement text;
    _answer jsonb;
    _started_at timestamptz;
    _end internal.run_end;
    _detail text;
    _void text;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        perform internal.require_read_committed('execute');
    end if;
    _task := internal.begin_plain(_worker_id, _task_id, _lease_no);
    if _task.call is null then
        select r.* into strict _run
        from internal.run_batch(_worker_id, array[_task_id], array[_lease_no], null, true) as r;
        if _run.sqlstate in ('QU002', 'QU008') and _run.outcome is null then
            raise exception using errcode = _run.sqlstate, message = _run.error;
        end if;
        outcome := _run.outcome;
        status := _run.status;
        error := _run.error;
        return;
    end if;

    _void := pg_try_advisory_xact_lock_shared(20546, (_task_id & 2147483647)::integer); -- shows the run to others
    _started_at := clock_timestamp();
    _void := set_config('reeve.task_id', _task_id::text, true);
    _end.has_raised := false;
    begin
        _statement := 'select ' || _task.call || '($1)';
        _void := set_config('search_path', _task.path, true);
        execute _statement into _answer using _task.payload;
        _void := pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    exception when assert_failure or others then
        get stacked diagnostics _end.error = message_text, _end.error_sqlstate = returned_sqlstate, _detail = pg_exception_detail;
        if internal.is_passing(_end.error_sqlstate) then
            -- A passing error: the whole run is rolled back.
            raise exception using errcode = _end.error_sqlstate, message = _end.error;
        end if;
        _end.has_raised := true;
    end;
    if not _end.has_raised and _answer = '{"status": "succeeded"}' then
        perform internal.end_execute(_worker_id, array[_task_id], array[_lease_no], array[_started_at], '{}');
        outcome := 'succeeded';
        status := 'succeeded';
    else
        _end.task_id := _task_id;
        _end.lease_no := _lease_no;
        _end.started_at := _started_at;
        _end.error_source := 'function';
        _end := internal.judge_run(_worker_id, _end, _task.payload, _answer, _detail);
        perform internal.end_execute(_worker_id, '{}', '{}', '{}', array[_end]);
        outcome := _end.outcome;
        status := _end.status;
        error := _end.error;
    end if;
    _void := set_config('reeve.task_id', '', true);
    _void := set_config('reeve.enqueued', '', true);
end
$$;
comment on function internal.run_one(uuid, bigint, integer) is 'Runs one leased task and completes it.';
