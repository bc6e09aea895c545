-- queues.schema_version()
-- The version of the installed schema: the highest applied migration.
create or replace function queues.schema_version() returns integer
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
    select max(m.version) from queues.migration as m
$$;
comment on function queues.schema_version() is 'Version of the installed schema.';
