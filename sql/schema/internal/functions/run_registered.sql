-- internal.run_registered(_command, _part, _payload)
-- Calls the handler or a hook of a registered command; the info of a handler, else null.
-- Security invoker, or definer as internal.run_function: see internal.set_runner_mode.
create or replace function internal.run_registered(_command text, _part text, _payload jsonb) returns jsonb
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _call constant text := internal.command_call(_command, _part);
    _info jsonb;
begin
    perform set_config('search_path', internal.text_setting('handler_search_path'), true);
    if _part <> 'handler' or _call like 'call %($1)' then
        execute _call using _payload;
    else
        execute _call into _info using _payload, '{}'::jsonb;
    end if;
    return _info;
end
$$;
comment on function internal.run_registered(text, text, jsonb) is 'Calls the handler or a hook of a command.';
