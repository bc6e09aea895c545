-- internal.require_position(_name, _position)
-- Refuses a function that is not, or no longer, registered for the place where it is named.
create or replace function internal.require_position(_name text, _position text) returns void
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (select 1 from internal.allowed_function as f
                   where f.function_name = _name and f.enabled and internal.fits_position(f.kind, _position)) then
        raise exception using errcode = '42501',
            message = format('function "%s" is not registered', left(_name, 128)),
            hint = 'Register it with internal.allow_function.';
    end if;
end
$$;
comment on function internal.require_position(text, text) is 'Refuses a function in a place that it is not registered for.';
