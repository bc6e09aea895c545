-- internal.token_expiry(_token)
-- The end of a JSON web token, as the token says; null if it does not say, or is no such token.
create or replace function internal.token_expiry(_token text) returns timestamptz
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _middle constant text := translate(substring(_token from '^[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)\.'), '-_', '+/');
begin
    return to_timestamp((convert_from(decode(_middle || repeat('=', (4 - length(_middle) % 4) % 4), 'base64'), 'UTF8')::jsonb
                         ->>'exp')::double precision);
exception when others then
    return null; -- The receiver will judge it.
end
$$;
comment on function internal.token_expiry(text) is 'End of a JSON web token, if it says.';
