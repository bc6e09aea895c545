-- internal.run_hook(_worker_id, _task_id, _lease_no, _part, _call)
-- Calls a hook of a leased command (_part: before or after) in a subtransaction; returns the error, or null.  A passing error is
-- raised, and the whole transaction is repeated.  _call is for the text of the error.
create or replace function internal.run_hook(_worker_id uuid, _task_id bigint, _lease_no integer, _part text, _call text,
        out error text, out error_sqlstate text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _message text;
    _context text;
    _detail text;
    _hint text;
begin
    perform internal.run_leased(_worker_id, _task_id, _lease_no, _part);
exception when assert_failure or others then
    get stacked diagnostics _message = message_text, error_sqlstate = returned_sqlstate, _context = pg_exception_context,
                            _detail = pg_exception_detail, _hint = pg_exception_hint;
    if internal.is_passing(error_sqlstate) then
        raise;
    end if;
    error := internal.error_text(_message, _context, _detail, _hint, _call);
end
$$;
comment on function internal.run_hook(uuid, bigint, integer, text, text) is 'Calls a hook of a leased command.';
