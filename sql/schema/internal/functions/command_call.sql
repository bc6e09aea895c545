-- internal.command_call(_command, _part)
-- The call of a part of a registered command (handler, before or after); refuses other names.
create or replace function internal.command_call(_command text, _part text) returns text
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _call text;
begin
    select case _part when 'handler' then c.handler_call when 'before' then c.before_call when 'after' then c.after_call end
    into _call from worker.command_registry as c where c.command = _command;
    if _call is null then
        raise exception using errcode = '42501', message = format('command "%s" is not registered', left(_command, 128));
    end if;
    return _call;
end
$$;
comment on function internal.command_call(text, text) is 'Call of a part of a registered command.';
