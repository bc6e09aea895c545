-- Requirements, checked before anything is installed.
do $$
declare
    _names text;
begin
    if current_setting('server_version_num')::integer < 130000 then
        raise exception using errcode = '0A000',
            message = format('PostgreSQL %s is too old', current_setting('server_version')),
            hint = 'Reeve needs PostgreSQL 13 or later.';
    end if;
    if current_setting('server_encoding') <> 'UTF8' then
        raise exception using errcode = '0A000',
            message = format('the encoding of database "%s" is %s, and Reeve needs UTF8', current_database(),
                             current_setting('server_encoding')),
            hint = 'Create a database for it: create database NAME encoding ''UTF8'' template template0;';
    end if;
    if to_regclass('queues.migration') is not null then
        raise exception using errcode = '42P06', message = 'Reeve is already installed in this database',
            hint = 'Run: reeve migrate';
    end if;
    if not has_database_privilege(current_database(), 'create') then
        raise exception using errcode = '42501',
            message = format('role "%s" may not create schemas in database "%s"', current_user, current_database()),
            hint = format('grant create on database %I to %I;', current_database(), current_user);
    end if;
    select string_agg(r.name, ', ') into _names
    from unnest(array['queues_owner', 'queues_runner', 'worker_service_user', 'queues_enqueuer', 'queues_observer',
                      'queues_operator', 'queues_admin', 'queues_dashboard']) as r(name)
    where not exists (select 1 from pg_roles as x where x.rolname = r.name);
    if _names is not null and not (select x.rolcreaterole or x.rolsuper from pg_roles as x where x.rolname = current_user) then
        raise exception using errcode = '42501', message = format('role "%s" may not create the roles %s', current_user, _names),
            hint = format('alter role %I createrole; or let an administrator create them.', current_user);
    end if;
    -- Roles of an earlier installation may exist on this server.  Then the installing role must be a member of the owner too.
    if exists (select 1 from pg_roles as x where x.rolname = 'queues_owner' and not pg_has_role(x.oid, 'member')
               and not exists (select 1 from pg_auth_members as m where m.roleid = x.oid and m.admin_option
                               and pg_has_role(m.member, 'member')))
       and not (current_setting('server_version_num')::integer < 160000
                and (select x.rolcreaterole from pg_roles as x where x.rolname = current_user)) then
        raise exception using errcode = '42501',
            message = format('role "%s" is not a member of queues_owner, which exists on this server', current_user),
            hint = format('grant queues_owner to %I;', current_user);
    end if;
end
$$;
