-- internal.prepare_command(_worker_id, _task_id, _lease_no)
-- First step of a command that has a before hook or a status type: folds its merges, calls the hook, and answers "run".  The
-- program commits this, then calls queues.execute.  If the hook raises, the command has failed ("completed"): its after hook runs,
-- its handler does not.  Security invoker: hooks are user code.
create or replace function internal.prepare_command(_worker_id uuid, _task_id bigint, _lease_no integer) returns text
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _run internal.command_run := internal.load_command(_worker_id, _task_id, _lease_no);
    _started_at constant timestamptz := clock_timestamp();
    _error text;
    _state text;
    _is_final boolean := false;
begin
    perform set_config('reeve.task_id', _task_id::text, true);
    if _run.status_type is not null then
        perform pg_notify('worker_status', json_build_object('type', _run.status_type, 'status', true)::text);
    end if;
    if _run.has_merges then
        begin
            _run.payload := internal.fold_merges(_worker_id, _task_id, _lease_no);
        exception when assert_failure or others then
            get stacked diagnostics _error = message_text, _state = returned_sqlstate;
            _error := format('could not fold what was merged in: %s', _error);
        end;
        if _error is not null then
            perform internal.drop_merges(_worker_id, _task_id, _lease_no);
            _is_final := true; -- a next attempt would run without them
        end if;
    end if;
    if _error is null and _run.before_call is not null then
        select h.error, h.error_sqlstate into _error, _state
        from internal.run_hook(_worker_id, _task_id, _lease_no, 'before', _run.before_call) as h;
    end if;
    if _error is not null then
        perform internal.fail_command(_worker_id, _task_id, _lease_no, _error, _state, 'before_procedure', _started_at, _is_final or _state = 'QU011');
    end if;
    perform set_config('reeve.task_id', '', true);
    return case when _error is null then 'run' else 'completed' end;
end
$$;
comment on function internal.prepare_command(uuid, bigint, integer) is 'Runs the before hook of a command.';
