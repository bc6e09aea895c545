begin;
select plan(4);
select is_empty($$
    select rolname from pg_roles where rolname in ('queues_owner', 'queues_runner', 'queues_enqueuer', 'queues_observer', 'queues_operator', 'queues_admin', 'queues_dashboard', 'worker_service_user')
      and (rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication)$$, 'no attribute of power');
select is((select array_agg(rolname::text) from pg_roles where rolcanlogin and rolname like any(array['queues\_%', 'worker\_service\_user'])), array['worker_service_user'], 'only the worker logs in');
select is((select array_agg(m.member::regrole::text || ' in ' || m.roleid::regrole::text order by m.member::regrole::text, m.roleid::regrole::text) from pg_auth_members as m
           where m.member::regrole::text like any(array['queues\_%', 'worker\_service\_user'])),
          array['queues_admin in queues_enqueuer', 'queues_admin in queues_operator', 'queues_dashboard in queues_admin', 'queues_dashboard in queues_observer',
                'queues_dashboard in queues_operator', 'queues_operator in queues_observer', 'queues_owner in queues_runner'], 'and these are the memberships');
select is((select rolinherit from pg_roles where rolname = 'queues_dashboard'), false, 'the role of the dashboard has nothing before it takes a role');
select * from finish();
rollback;
