-- Roles are shared by all databases of a server, so each is made only if it is missing.
do $$
declare
    _role text;
    -- From 16 on, the role that made a role is a member of it, but may not act as it.
    _acting constant text := case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end;
begin
    foreach _role in array array['queues_owner', 'queues_runner', 'queues_enqueuer', 'queues_observer', 'queues_operator',
                                 'queues_admin', 'queues_dashboard'] loop
        if not exists (select 1 from pg_roles as r where r.rolname = _role) then
            execute format('create role %I nologin%s', _role, case when _role = 'queues_dashboard' then ' noinherit' end);
        end if;
    end loop;
    if not exists (select 1 from pg_roles as r where r.rolname = 'worker_service_user') then
        create role worker_service_user login;
    end if;
    -- The installing role acts as the owner below; a superuser may do so anyway.
    if not pg_has_role('queues_owner', _acting) then
        execute format('grant queues_owner to %I', current_user);
    end if;
    -- The installing role may also work: programs act as the worker's role.
    if not pg_has_role('worker_service_user', _acting) then
        begin
            execute format('grant worker_service_user to %I', current_user);
        exception when insufficient_privilege then
            null; -- The installing role is told what to grant.
        end;
    end if;
    if not pg_has_role('queues_owner', 'queues_runner', 'member') then
        grant queues_runner to queues_owner;
    end if;
    if not pg_has_role('queues_operator', 'queues_observer', 'member') then
        grant queues_observer to queues_operator;
    end if;
    if not pg_has_role('queues_admin', 'queues_operator', 'member') then
        grant queues_operator to queues_admin;
    end if;
    if not pg_has_role('queues_admin', 'queues_enqueuer', 'member') then
        grant queues_enqueuer to queues_admin;
    end if;
    -- The login of the dashboard takes the role of each viewer, and has none of its rights before.
    if not pg_has_role('queues_dashboard', 'queues_admin', 'member') then
        grant queues_observer, queues_operator, queues_admin to queues_dashboard;
    end if;
end
$$;

-- Settings of the worker's login in this database.  The program sets the timeouts of user code.
do $$
declare
    _setting text;
begin
    foreach _setting in array array['default_transaction_isolation = ''read committed''', 'lock_timeout = ''2s''',
                                    'idle_in_transaction_session_timeout = ''10s''',
                                    'client_connection_check_interval = ''1s''', 'log_parameter_max_length = 0'] loop
        begin
            execute format('alter role worker_service_user in database %I set %s', current_database(), _setting);
        exception when insufficient_privilege or undefined_object or invalid_parameter_value or feature_not_supported
                    or object_not_in_prerequisite_state then
            -- Some of these can be set only by a superuser, and some servers do not know all of them.
            raise notice 'worker_service_user: could not set %', _setting;
        end;
    end loop;
end
$$;
