-- internal.is_edge_secret(_name)
-- Is it one of the two secrets that serve edge functions and nothing else?  In every spelling that the
-- program's environment would take for the same name.
create or replace function internal.is_edge_secret(_name text) returns boolean
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return lower(regexp_replace(_name, '[^a-zA-Z0-9]', '_', 'g')) in ('service_role', 'consumer_edge_base');
end
$$;
comment on function internal.is_edge_secret(text) is 'Is it a secret of edge functions?';
