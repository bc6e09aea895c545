-- internal.fits_position(_kinds, _position)
-- May a function registered as these kinds be named in this key of a payload?
create or replace function internal.fits_position(_kinds text, _position text) returns boolean
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return case _position
        when 'db_function' then string_to_array(_kinds, ',') && array['task', 'supervisor']
        else split_part(_position, '_', 1) = any(string_to_array(_kinds, ','))
    end;
end
$$;
comment on function internal.fits_position(text, text) is 'Whether a payload key may name a function of a kind.';
