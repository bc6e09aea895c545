-- The session of the dashboard may take the role of an administrator.  Code of a user that runs in it, a merge function, may not, and names no other person.
begin;
select tap.plan(6);
\ir evil.sql
set local client_min_messages = error;
create role test_dashboard login;
grant queues_dashboard to test_dashboard;
create table evil.tried (what text);
grant all on evil.tried to public;
create function evil.try_role(_role text) returns text language plpgsql as $$
begin
    perform pg_catalog.set_config('role', _role, false);
    return _role || ': taken';
exception when others then
    return _role || ': ' || sqlstate;
end $$;
create function evil.merge(_old jsonb, _new jsonb) returns jsonb language plpgsql as $$
begin
    perform pg_catalog.set_config('reeve.person', 'berta', false);
    return pg_catalog.jsonb_build_object('tried', pg_catalog.concat(evil.try_role('queues_admin'), ', ', evil.try_role('queues_owner')));
end $$;
alter function evil.merge(jsonb, jsonb) owner to test_mallory;
grant usage on schema evil to public;
select worker.register_command('m', 'test.plain', 'default', p_dedup_keys => '{}', p_merge_function => 'evil.merge');
select test.as_login('test_dashboard', 'queues_admin', 'anna', 'select worker.enqueue(''m'', ''{"n": "a"}'')') as id \gset
select test.as_login('test_dashboard', 'queues_admin', 'anna', 'select worker.enqueue(''m'', ''{"n": "b"}'') from (select worker.enqueue(''m'', ''{"n": "c"}'') offset 0) as x') \gset more_
select tap.is(test.as_login('test_dashboard', 'queues_admin', 'anna', 'select current_setting(''role'') || current_setting(''reeve.person'') from (select worker.enqueue(''m'', ''{"n": "d"}'') offset 0) as x'),
    'queues_adminanna', 'after an enqueue the session is as it was');
select tap.is(test.run_command(:id), 'succeeded', 'it runs');
select tap.is(test.calls('plain')::text, array['{"tried": "queues_admin: 42501, queues_owner: 42501"}']::jsonb[]::text, 'the function took no role');
select tap.is(test.as_login('test_dashboard', 'queues_operator', 'anna', format('select queues.retry_task(%s) is not null', :id)), 'true', 'a retry');
select tap.is(test.as_login('test_dashboard', 'queues_operator', 'anna', 'select queues.pause_queue(''default'', ''1 hour'')'), '', 'a pause');
select tap.is((select array_agg(distinct actor) from queues.audit where via = 'test_dashboard'), array['anna'], 'she is on record');
select * from tap.finish();
rollback;
