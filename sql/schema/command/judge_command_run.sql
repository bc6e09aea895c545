-- internal.judge_command_run(_worker_id, _end, _info, _detail, _context, _hint)
-- Hook `judge` of commands: what the end of a handler means that the engine has called (internal.run_batch).
create or replace function internal.judge_command_run(_worker_id uuid, _end internal.run_end, _info jsonb, _detail text, _context text,
        _hint text) returns internal.run_end
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _run constant internal.command_run := internal.load_command(_worker_id, _end.task_id, _end.lease_no);
begin
    if _end.has_raised then
        _end.error := internal.error_text(_end.error, _context, _detail, _hint, _run.call);
    end if;
    return internal.judge_command(_end, _run, _info);
end
$$;
comment on function internal.judge_command_run(uuid, internal.run_end, jsonb, text, text, text) is 'What the end of a handler means for its command.';
