-- internal.judge_command_run(_worker_id, _end, _payload, _info, _call, _detail, _context, _hint)
-- Hook `judge` of commands: the meaning of the end of a handler that the engine has called (internal.run_batch).
create or replace function internal.judge_command_run(_worker_id uuid, _end internal.run_end, _payload jsonb, _info jsonb, _call text,
        _detail text, _context text, _hint text) returns internal.run_end
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _run internal.command_run;
begin
    if _end.has_raised then
        _end.error := internal.error_text(_end.error, _context, _detail, _hint, _call);
    end if;
    _run.worker_id := _worker_id;
    _run.task_id := _end.task_id;
    _run.lease_no := _end.lease_no;
    _run.command := _payload->>'command';
    return internal.judge_command(_end, _run, _info);
end
$$;
comment on function internal.judge_command_run(uuid, internal.run_end, jsonb, jsonb, text, text, text, text) is
    'The meaning of the end of a handler for its command.';
