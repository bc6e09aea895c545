-- internal.check_names(_payload)
-- Checks every function that the payload names against the registry, and returns 'supervisor' or null as the kind of its
-- db_function.  If every name is registered for its position alone, one query is enough; otherwise each name is checked.
create or replace function internal.check_names(_payload jsonb) returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _position text;
    _name text;
    _rule record;
    _is_supervisor boolean := false;
begin
    select count(*) as names, bool_or(f.kind = 'supervisor') as is_supervisor into _rule
    from internal.allowed_function as f
    where f.function_name in (_payload->>'db_function', _payload->>'before_handler', _payload->>'success_handler',
                              _payload->>'error_handler')
      and f.enabled and f.enqueuers is null
      and f.function_name = _payload->>(case f.kind when 'task' then 'db_function' when 'supervisor' then 'db_function'
                                                    else f.kind || '_handler' end);
    if _rule.names = (_payload ? 'db_function')::integer + (_payload ? 'before_handler')::integer
                     + (_payload ? 'success_handler')::integer + (_payload ? 'error_handler')::integer then
        return case when _rule.is_supervisor then 'supervisor' end;
    end if;
    foreach _position in array array['db_function', 'before_handler', 'success_handler', 'error_handler'] loop
        continue when not _payload ? _position;
        if jsonb_typeof(_payload->_position) <> 'string' then
            raise exception using errcode = '22023',
                message = format('%s in the payload must be a string', _position);
        end if;
        _name := _payload->>_position;
        select f.kind, f.enqueuers into _rule
        from internal.allowed_function as f
        where f.function_name = _name and f.enabled;
        if not found or not internal.fits_position(_rule.kind, _position) then
            raise exception using errcode = '42501',
                message = format('function "%s" is not registered as a %s', left(_name, 128),
                                 case _position when 'db_function' then 'task or supervisor'
                                                else replace(_position, '_', ' ') end),
                hint = internal.allow_hint(_name, case _position when 'db_function' then 'task' else split_part(_position, '_', 1) end);
        end if;
        if _rule.enqueuers is not null then
            perform internal.check_enqueuer(_name, _rule.enqueuers);
        end if;
        if _position = 'db_function' and _rule.kind like '%supervisor%' then
            _is_supervisor := true;
        end if;
    end loop;
    return case when _is_supervisor then 'supervisor' end;
end
$$;
comment on function internal.check_names(jsonb) is 'Checks the functions that a payload names.';
