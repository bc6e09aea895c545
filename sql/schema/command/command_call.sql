-- internal.command_call(_task_id, _payload, _position)
-- Hook `call` of commands (internal.leased_call): the statement of the handler, before or after hook of a leased command.
create or replace function internal.command_call(_task_id bigint, _payload jsonb, _position text,
        out statement text, out input jsonb, out has_info boolean, out has_result boolean, out name text)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    name := _payload->>'command';
    input := _payload;
    select case _position when 'handler' then c.handler_call when 'before' then c.before_call when 'after' then c.after_call end
    into statement from worker.command_registry as c where c.command = name;
    if statement is null then
        raise exception using errcode = 'QU007', message = format('command "%s" is not registered', left(name, 128)),
            hint = 'Register it with worker.register_command.';
    end if;
    has_info := _position = 'handler' and statement not like 'call %($1)';
    has_result := has_info;
end
$$;
comment on function internal.command_call(bigint, jsonb, text) is 'The call of a leased command in a position.';
