-- internal.run_hook(_command, _part, _call, _payload, _definer)
-- Calls a hook of a command in a subtransaction; returns what went wrong, or null.  Passing
-- errors are raised: the whole transaction is repeated.  Security invoker.
create or replace function internal.run_hook(_command text, _part text, _call text, _payload jsonb, _definer boolean,
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
    if _definer then
        perform internal.run_registered(_command, _part, _payload);
    else
        perform set_config('search_path', internal.text_setting('handler_search_path'), true);
        execute _call using _payload;
        perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    end if;
exception when assert_failure or others then
    get stacked diagnostics _message = message_text, error_sqlstate = returned_sqlstate, _context = pg_exception_context,
                            _detail = pg_exception_detail, _hint = pg_exception_hint;
    if error_sqlstate in ('40001', '40P01', '55P03') then
        raise;
    end if;
    error := internal.error_text(_message, _context, _detail, _hint, _call);
end
$$;
comment on function internal.run_hook(text, text, text, jsonb, boolean) is 'Calls a hook and says what went wrong.';
