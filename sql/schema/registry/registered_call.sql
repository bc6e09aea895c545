-- internal.registered_call(_name)
-- The quoted name of a registered function.  Every other text is refused.
create or replace function internal.registered_call(_name text) returns text
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _call text;
begin
    if _name is null then
        raise exception using errcode = '22004', message = 'function name must not be null';
    end if;
    select f.call into _call
    from internal.allowed_function as f
    where f.function_name = _name and f.enabled
      and string_to_array(f.kind, ',') && array['task', 'supervisor', 'before', 'success', 'error'];
    if _call is null then
        raise exception using errcode = '42501',
            message = format('function "%s" is not registered', left(_name, 128)),
            hint = 'Register it with internal.allow_function.';
    end if;
    return _call;
end
$$;
comment on function internal.registered_call(text) is 'Quoted name of a registered function.';
