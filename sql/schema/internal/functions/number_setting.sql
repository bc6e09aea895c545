-- internal.number_setting(_key), internal.text_setting(_key)
-- A setting as a number or as text, for engine functions.
create or replace function internal.number_setting(_key text) returns numeric
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
    select (c.value #>> '{}')::numeric from internal.config as c where c.key = _key
$$;
comment on function internal.number_setting(text) is 'A numeric setting.';

create or replace function internal.text_setting(_key text) returns text
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
    select c.value #>> '{}' from internal.config as c where c.key = _key
$$;
comment on function internal.text_setting(text) is 'A setting as text.';
