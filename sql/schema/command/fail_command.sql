-- internal.fail_command(_worker_id, _task_id, _lease_no, _error, _sqlstate, _source, _started_at, _is_final)
-- Ends a leased command that failed outside its handler: after hook, completion, parents.  Null _error: the error is recorded
-- already.  Security invoker: the hook is user code.
create or replace function internal.fail_command(_worker_id uuid, _task_id bigint, _lease_no integer, _error text,
        _sqlstate text, _source text, _started_at timestamptz, _is_final boolean) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _run constant internal.command_run := internal.load_command(_worker_id, _task_id, _lease_no);
    _hook record;
    _end internal.run_end;
begin
    if _run.after_call is not null then
        perform set_config('reeve.task_id', _task_id::text, true);
        _hook := internal.run_hook(_worker_id, _task_id, _lease_no, 'after', _run.after_call);
        if _hook.error is not null then
            perform internal.record_hook_error(_worker_id, _task_id, _lease_no, _hook.error, _hook.error_sqlstate);
        end if;
    end if;
    _end.task_id := _task_id;
    _end.lease_no := _lease_no;
    _end.outcome := 'failed';
    _end.status := 'failed';
    _end.error := _error;
    _end.error_sqlstate := _sqlstate;
    _end.error_source := _source;
    _end.started_at := _started_at;
    _end.is_final := _is_final;
    perform internal.end_execute(_worker_id, '{}', '{}', '{}', array[_end]);
    if _run.status_type is not null then
        perform pg_notify('worker_status', json_build_object('type', _run.status_type, 'status', false)::text);
    end if;
    perform internal.notify_changed(array[_task_id]);
    if _run.parent_id is not null then
        perform internal.close_parents(array[_run.parent_id]);
    end if;
    perform set_config('reeve.task_id', '', true);
end
$$;
comment on function internal.fail_command(uuid, bigint, integer, text, text, text, timestamptz, boolean) is 'Ends a command that failed outside its handler.';
