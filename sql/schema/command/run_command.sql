-- internal.run_command(_worker_id, _task_id, _lease_no)
-- Hook `run` of commands.  Runs one leased command and returns its end: folds its merges, calls its handler in a subtransaction,
-- then lets it wait for its children or calls the after hook.  Outcome "transient": a passing error.  "waiting": it stays open.
create or replace function internal.run_command(_worker_id uuid, _task_id bigint, _lease_no integer) returns internal.run_end
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _run internal.command_run := internal.load_command(_worker_id, _task_id, _lease_no);
    _end internal.run_end;
    _info jsonb;
    _context text;
    _detail text;
    _hint text;
    _hook record;
begin
    _end.task_id := _run.task_id;
    _end.lease_no := _run.lease_no;
    _end.started_at := clock_timestamp();
    _end.error_source := 'function';
    _end.has_raised := false;
    perform set_config('reeve.task_id', _run.task_id::text, true);
    begin
        -- The step before has folded them, if there is one.
        if _run.has_merges and _run.before_call is null and _run.status_type is null then
            _run.payload := internal.fold_merges(_run.worker_id, _run.task_id, _run.lease_no);
        end if;
    exception when assert_failure or others then
        get stacked diagnostics _end.error = message_text, _end.error_sqlstate = returned_sqlstate;
        _end.error := format('could not fold what was merged in: %s', _end.error);
        _end.has_raised := true;
        _end.is_final := true; -- a next attempt would run without them
    end;
    if _end.has_raised then
        perform internal.drop_merges(_run.worker_id, _run.task_id, _run.lease_no);
    elsif not _run.is_ended then
        begin
            if _run.call is null then
                raise exception using errcode = 'QU007', message = format('command "%s" is not registered', left(_run.command, 128));
            end if;
            _info := internal.run_leased(_run.worker_id, _run.task_id, _run.lease_no, 'handler');
        exception when assert_failure or others then
            get stacked diagnostics _end.error = message_text, _end.error_sqlstate = returned_sqlstate,
                                    _context = pg_exception_context, _detail = pg_exception_detail, _hint = pg_exception_hint;
            if internal.is_passing(_end.error_sqlstate) then
                _end.outcome := 'transient';
                return _end;
            end if;
            _end.error := internal.error_text(_end.error, _context, _detail, _hint, _run.call);
            _end.has_raised := true;
        end;
    end if;
    _end := internal.judge_command(_end, _run, _info);
    if _end.outcome = 'waiting' then
        return _end;
    end if;
    if _run.after_call is not null then
        _hook := internal.run_hook(_run.worker_id, _run.task_id, _run.lease_no, 'after', _run.after_call);
        if _hook.error is not null then
            perform internal.record_hook_error(_run.worker_id, _run.task_id, _run.lease_no, _hook.error, _hook.error_sqlstate);
        end if;
    end if;
    if _run.status_type is not null then
        perform pg_notify('worker_status', json_build_object('type', _run.status_type, 'status', false)::text);
    end if;
    return _end;
end
$$;
comment on function internal.run_command(uuid, bigint, integer) is 'Runs one leased command.';
