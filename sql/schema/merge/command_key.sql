-- internal.command_key(_command, _keys, _payload)
-- The dedup key of a command: its name and the values of its dedup keys in the payload.  A text that is too long is replaced by its
-- digest.
create or replace function internal.command_key(_command text, _keys text[], _payload jsonb) returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _values jsonb[] := array[]::jsonb[];
    _key text;
begin
    if _keys = '{}' then
        return _command;
    end if;
    foreach _key in array _keys loop
        _values := _values || (_payload->_key);
    end loop;
    return _command || ':' || case when octet_length(to_jsonb(_values)::text) > 400 then md5(to_jsonb(_values)::text)
                                   else to_jsonb(_values)::text end;
end
$$;
comment on function internal.command_key(text, text[], jsonb) is 'Dedup key of a command.';
