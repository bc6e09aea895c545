-- internal.number_setting(_key), internal.text_setting(_key)
-- A setting as a number or as text, for engine functions.  These are plpgsql, as is every function that a task passes through:
-- plpgsql keeps its plans, but a SQL function is planned again in every statement.
create or replace function internal.number_setting(_key text) returns numeric
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return (select (c.value #>> '{}')::numeric from internal.config as c where c.key = _key);
end
$$;
comment on function internal.number_setting(text) is 'A numeric setting.';

create or replace function internal.text_setting(_key text) returns text
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return (select c.value #>> '{}' from internal.config as c where c.key = _key);
end
$$;
comment on function internal.text_setting(text) is 'A setting as text.';
