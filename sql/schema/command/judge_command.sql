-- internal.judge_command(_end, _run, _info)
-- Decides what the return of a handler, or its error, means for its task.  Its info is made of its reports and its result, and sent
-- to listeners; then its children decide (internal.settle_parent).
create or replace function internal.judge_command(_end internal.run_end, _run internal.command_run, _info jsonb)
    returns internal.run_end
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _progress constant jsonb := nullif(nullif(current_setting('reeve.report', true), ''), '{}')::jsonb;
    _settled record;
begin
    if _end.has_raised then
        _end.outcome := 'failed';
        _end.status := 'failed';
        _end.is_final := coalesce(_end.is_final, _end.error_sqlstate = 'QU011');
        return _end;
    end if;
    if jsonb_typeof(_info) not in ('object', 'null') then
        perform internal.record_hook_error(_run.worker_id, _run.task_id, _run.lease_no,
            format('info must be a JSON object, not %s; it was ignored', jsonb_typeof(_info)), '22023', 'function');
        _info := null;
    end if;
    _info := case when jsonb_typeof(_info) = 'object' and _info <> '{}' then coalesce(_progress, '{}') || _info else _progress end;
    if _progress is not null then
        -- A notification has room for 8000 bytes.
        perform pg_notify('worker_status', (json_build_object('type', 'progress', 'id', _run.task_id, 'command', _run.command,
                          'info', case when octet_length(_progress::text) < 7000 then _progress else '{"truncated": true}' end))::text);
    end if;
    _settled := internal.settle_parent(_run.worker_id, _run.task_id, _run.lease_no, _info, _end.started_at);
    _end.outcome := case when _settled.waits then 'waiting' else _settled.outcome end;
    _end.status := _end.outcome;
    _end.result := _settled.info;
    if _end.outcome = 'failed' then
        _end.error := 'One or more child tasks failed';
        _end.error_source := 'engine';
        _end.is_final := true; -- the handler has succeeded: its effects stand, and its children have attempts of their own
    end if;
    return _end;
end
$$;
comment on function internal.judge_command(internal.run_end, internal.command_run, jsonb) is 'What the end of a handler means for its command.';
