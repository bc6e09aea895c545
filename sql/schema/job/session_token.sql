-- internal.session_token()
-- The token of the caller's PostgREST session, without "Bearer "; null if there is none.
create or replace function internal.session_token() returns text
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _token text;
begin
    -- In a pooled session the setting may be empty after another session has used it.
    _token := nullif(regexp_replace(nullif(current_setting('request.headers', true), '')::json->>'authorization', '^Bearer ', '', 'i'), '');
    return case when octet_length(_token) <= 16384 then _token end;
exception when invalid_text_representation then
    return null;
end
$$;
comment on function internal.session_token() is 'Authorization of the current PostgREST session.';
