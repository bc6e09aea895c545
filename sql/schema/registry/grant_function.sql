-- internal.grant_function(_oid, _role)
-- Grants EXECUTE on a function, and USAGE on its schema, with the caller's rights.
-- A caller who may not grant is told by internal.warn_missing_grants instead.
create or replace function internal.grant_function(_oid oid, _role name) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    execute format('grant execute on routine %s to %I', _oid::regprocedure, _role);
    execute format('grant usage on schema %I to %I',
                   (select n.nspname from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
                    where p.oid = _oid), _role);
exception when insufficient_privilege then
    null; -- Said by the caller, with the statement to run.
end
$$;
comment on function internal.grant_function(oid, name) is 'Gives the second key, if the caller may.';
