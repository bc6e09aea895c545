-- internal.call_handler(_name, _kind, _input)
-- Calls a handler (_kind: success_handler or error_handler), and raises QU003 unless it
-- returns success.
create or replace function internal.call_handler(_name text, _kind text, _input jsonb) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _verdict internal.verdict;
begin
    perform internal.require_position(_name, _kind);
    _verdict := internal.read_envelope(internal.run_function(_name, _input));
    if not _verdict.is_success then
        raise exception using errcode = 'QU003', message = format('%s %s returned status: %s%s', replace(_kind, '_', ' '), _name,
            _verdict.status, coalesce(': ' || _verdict.error, ''));
    end if;
end
$$;
comment on function internal.call_handler(text, text, jsonb) is 'Calls a handler that must return success.';
