-- internal.require_adopted(_installation)
-- Refuses a copied or restored database until a person has adopted it.  Until then it must send nothing.
create or replace function internal.require_adopted(_installation uuid) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _ours internal.installation;
begin
    select i.* into _ours from internal.installation as i order by i.adopted_at desc limit 1;
    if _ours.system_identifier is distinct from internal.system_identifier()
       or _ours.database_oid is distinct from (select d.oid from pg_database as d where d.datname = current_database()) then
        raise exception using errcode = 'QU005', message = 'this database is a copy of another installation',
            detail = format('It was installed as database "%s" of system %s.', _ours.database_name, _ours.system_identifier),
            hint = 'If it is meant to work, run: reeve adopt';
    end if;
    if _installation is not null and _installation <> _ours.installation_id then
        raise exception using errcode = 'QU005', message = format('this database is installation %s, not %s', _ours.installation_id, _installation),
            hint = 'Set REEVE_INSTALLATION to the one that is meant, or run: reeve adopt';
    end if;
end
$$;
comment on function internal.require_adopted(uuid) is 'Refuses a database that is a copy.';
