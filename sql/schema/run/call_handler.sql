-- internal.call_handler(_worker_id, _task_id, _lease_no, _kind, _name, _more)
-- Calls a handler of a leased task (_kind: success_handler or error_handler), and raises QU003 unless it returns success.  _name
-- is only for the message; the task itself names the handler.
create or replace function internal.call_handler(_worker_id uuid, _task_id bigint, _lease_no integer, _kind text, _name text,
        _more jsonb) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _verdict constant internal.verdict :=
        internal.read_envelope(coalesce(internal.run_leased(_worker_id, _task_id, _lease_no, _kind, _more), '{}'));
begin
    if not _verdict.is_success then
        raise exception using errcode = 'QU003', message = format('%s %s returned status: %s%s', replace(_kind, '_', ' '), _name,
            _verdict.status, coalesce(': ' || _verdict.error, ''));
    end if;
end
$$;
comment on function internal.call_handler(uuid, bigint, integer, text, text, jsonb) is 'Calls a success or error handler of a leased task.';
