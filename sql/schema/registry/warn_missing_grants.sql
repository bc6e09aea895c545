-- internal.warn_missing_grants(_oid, _role)
-- Names each GRANT that a registered function still needs to run.
create or replace function internal.warn_missing_grants(_oid oid, _role name) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _schema name;
begin
    select n.nspname into _schema from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace where p.oid = _oid;
    if not has_function_privilege(_role, _oid, 'execute') then
        raise notice using message = format('role "%s" may not execute %s yet', _role, _oid::regprocedure),
            hint = format('grant execute on routine %s to %I;', _oid::regprocedure, _role);
    end if;
    if not has_schema_privilege(_role, _schema, 'usage') then
        raise notice using message = format('role "%s" may not use schema %I yet', _role, _schema),
            hint = format('grant usage on schema %I to %I;', _schema, _role);
    end if;
end
$$;
comment on function internal.warn_missing_grants(oid, name) is 'Names the grants that a registered function still needs.';
