-- internal.to_plain_json(_value)
-- A JSON text as jsonb; a zero character, which jsonb cannot hold, becomes U+FFFD.
create or replace function internal.to_plain_json(_value json) returns jsonb
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return _value::jsonb;
exception when untranslatable_character then
    return regexp_replace(_value::text, '(?<!\\)((?:\\\\)*)\\u0000', '\1\\ufffd', 'g')::jsonb;
end
$$;
comment on function internal.to_plain_json(json) is 'JSON text as jsonb, also with zero characters.';
