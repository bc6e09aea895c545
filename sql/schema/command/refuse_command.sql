-- internal.refuse_command(_command)
-- Raises an error for a command that is not registered, with the statement that registers it.
create or replace function internal.refuse_command(_command text) returns void
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _command is null then
        raise exception using errcode = '22004', message = 'command must not be null';
    end if;
    raise exception using errcode = '23503', message = format('command "%s" is not registered', left(_command, 128)),
        hint = format('select worker.register_command(%L, ''schema.procedure'', ''default'');', left(_command, 128));
end
$$;
comment on function internal.refuse_command(text) is 'Refuses a command that is not registered.';
