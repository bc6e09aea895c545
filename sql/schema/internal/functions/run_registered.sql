-- internal.run_registered(_command, _part, _payload)
-- Calls the handler or a hook of a registered command; the info of a handler, else null.
-- Security invoker, or definer as internal.run_function: see internal.set_runner_mode.
-- Code of a user's may leave another search_path behind: it is set again right after each call.
create or replace function internal.run_registered(_command text, _part text, _payload jsonb) returns jsonb
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _call constant text := internal.command_call(_command, _part);
    _nothing constant jsonb := '{}';
    _has_info boolean;
    _info jsonb;
begin
    _has_info := _part = 'handler' and _call not like 'call %($1)';
    perform set_config('search_path', internal.text_setting('handler_search_path'), true);
    if _has_info then
        execute _call into _info using _payload, _nothing;
    else
        execute _call using _payload;
    end if;
    perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    return _info;
end
$$;
comment on function internal.run_registered(text, text, jsonb) is 'Calls the handler or a hook of a command.';
