-- The setting reeve.person counts for members of queues_dashboard only, and no session can pretend to be one.
begin;
select plan(19);
set local client_min_messages = error;
create role test_dashboard login;
grant queues_dashboard to test_dashboard;
create role test_operator login;
grant queues_operator to test_operator;
create role test_admin login;
grant queues_admin to test_admin;
-- Who is on record after a pause by this login, in this role, with this setting; or the code of the refusal.
create function pg_temp.who(_login text, _role text, _person text) returns text language plpgsql as $$
declare
    _answer constant text := test.as_login(_login, _role, _person, 'select queues.pause_queue(''default'', ''1 hour'')');
begin
    return case when _answer ~ '^\d{5}$' then _answer else (select a.actor || coalesce(' via ' || a.via, '') from queues.audit as a order by a.audit_id desc limit 1) end;
end
$$;
-- The dashboard itself.
select is(pg_temp.who('test_dashboard', 'none', 'anna'), '42501', 'the login has no right before it takes a role');
select is(test.as_login('test_dashboard', 'none', '', 'select count(*) from queues.audit'), '42501', 'nor reads anything');
select is(test.as_login('test_dashboard', 'queues_admin', '', 'select internal.audit(''pause_queue'', ''default'')'), '42501', 'nor writes into the audit itself');
select is(test.as_login('test_dashboard', 'queues_admin', '', 'insert into queues.audit (acted_at, actor, action, object) values (now(), ''anna'', ''x'', ''x'')'), '42501', 'in no way');
select is(pg_temp.who('test_dashboard', 'queues_operator', 'anna'), 'anna via test_dashboard', 'the person, and the login that named her');
select is(pg_temp.who('test_dashboard', 'queues_operator', ''), 'test_dashboard', 'nobody is named: the login');
select is(pg_temp.who('test_dashboard', 'queues_operator', repeat('x', 300)), 'test_dashboard', 'no name is that long');
select is(pg_temp.who('test_dashboard', 'queues_observer', 'anna'), '42501', 'the role of the viewer decides');
select test.enqueue('test.ok') as task \gset
select test.as_login('test_dashboard', 'queues_operator', 'anna', format('select queues.cancel_task(%s, ''not needed'')', :task));
select is((select completed_by from queues.task_completed where task_id = :task), 'anna', 'columns that name who acted name the person');
-- What a worker carries out for her names her, too.
select test.enqueue('test.ok') as bulk_task \gset
select test.as_login('test_dashboard', 'queues_operator', 'anna', 'select act_id from queues.preview_bulk(''task_cancel'', _type => ''db_function'')') as act \gset
select test.as_login('test_dashboard', 'queues_operator', 'anna', format('select queues.start_bulk(%s)', :'act')) as carrier \gset
select test.run(:carrier) \gset
select is((select completed_by from queues.task_completed where task_id = :bulk_task), 'anna', 'an act in the background names who started it');
-- Others.
select is(pg_temp.who('test_operator', 'none', 'anna'), 'test_operator', 'an operator acts as nobody else');
select is(pg_temp.who('test_admin', 'queues_operator', 'anna'), 'test_admin', 'nor does an administrator who takes a role');
select is((select count(*) from unnest(array['test_operator', 'test_admin', 'worker_service_user', 'queues_runner']) as l
           where test.as_login(l, 'none', 'anna', 'select set_config(''role'', ''queues_dashboard'', true)') <> '42501'), 0::bigint, 'nobody takes the role of the dashboard');
select is((select count(*) from unnest(array['test_operator', 'test_admin', 'worker_service_user', 'queues_runner']) as l
           where test.as_login(l, 'none', 'anna', format('grant queues_dashboard to %I', l)) <> '42501'), 0::bigint, 'or gives it to itself');
select is((select count(*) from unnest(array['test_operator', 'test_admin', 'worker_service_user', 'queues_runner']) as l,
           unnest(array['select queues.claim_act(gen_random_uuid(), ''/'')', 'select queues.end_act(gen_random_uuid(), ''x'', ''/'')', 'select count(*) from internal.act_key']) as s
           where test.as_login(l, 'none', 'anna', s) <> '42501'), 0::bigint, 'or touches the keys of its forms');
select is((select count(*) from unnest(array['queues_observer', 'queues_operator', 'queues_admin']) as r,
           unnest(array['select queues.claim_act(gen_random_uuid(), ''/'')', 'update internal.act_key set notice = ''x''']) as s
           where test.as_login('test_dashboard', r, 'anna', s) <> '42501'), 0::bigint, 'nor do the roles of its viewers');
-- The owner of a schedule acts in the session of a worker.
select is(test.as_login('worker_service_user', 'none', 'anna', 'select internal.actor()'), '42501', 'a worker does not ask who acts');
select is((select count(*) from queues.audit where actor = 'anna' and via is distinct from 'test_dashboard'), 0::bigint, 'nobody else has named her');
select is((select count(*) from queues.audit where actor = 'anna'), 3::bigint, 'the acts of hers');
select * from finish();
rollback;
