-- internal.grant_function(_oid, _role)
-- Grants EXECUTE on a function, and USAGE on its schema, with the caller's rights.  If the caller may not grant,
-- internal.warn_missing_grants names the missing grants.
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
    null; -- The caller reports this, with the statement to run.
end
$$;
comment on function internal.grant_function(oid, name) is 'Grants EXECUTE on a function, if the caller may.';
