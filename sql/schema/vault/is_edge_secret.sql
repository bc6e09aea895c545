-- internal.is_edge_secret(_name)
-- Is this one of the two secrets that serve only edge functions?  It checks every spelling that means the same name in the
-- environment of the program.
create or replace function internal.is_edge_secret(_name text) returns boolean
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return lower(regexp_replace(_name, '[^a-zA-Z0-9]', '_', 'g')) in ('service_role', 'consumer_edge_base');
end
$$;
comment on function internal.is_edge_secret(text) is 'Is it a secret of edge functions?';
