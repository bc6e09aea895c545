-- An act is carried out by a task of ours: once per id, with the rights of the role that started it, by one task at a time.
begin;
select plan(27);
set local client_min_messages = error;
create role test_operator; create role test_admin; create role test_observer;
grant queues_operator to test_operator; grant queues_admin to test_admin; grant queues_observer to test_observer;
select internal.allow_function('test.raises'), internal.allow_function('test.answer', _enqueuers => '{queues_admin}');
select test.run(test.enqueue('test.raises')) from generate_series(1, 5);
select act_id as act from queues.preview_bulk('task_retry', 'failed') \gset
set local session authorization test_operator;
select queues.start_bulk(:act) as carrier, queues.start_bulk(:act) as again \gset
reset session authorization;
select is(:again, :carrier, 'who starts it twice gets the same task');
select is((select queue || ' ' || (payload->>'db_function') from queues.task where task_id = :carrier), 'maintenance queues.carry_bulk', 'a task of ours');
select is((select carrier_task_id from queues.bulk_state where act_id = :act), :carrier::bigint, 'which the act shows');
select is((select count(*) from queues.task where retry_of is not null), 0::bigint, 'nothing is done before it runs');
-- Another task that names the act does nothing, whoever made it.
select queues.enqueue('db_function', jsonb_build_object('db_function', 'queues.carry_bulk', 'act_id', :act)) as other \gset
select is(test.run(:other), 'succeeded', 'another task ends');
select is((select result->>'note' from queues.task_completed where task_id = :other), format('act %s is not carried out by this task', :act), 'and says that it is not the one');
select is((select count(*) from queues.bulk_done), 0::bigint, 'it has done nothing');
select is(test.run(:carrier), 'succeeded', 'the carrier runs');
select is((select state || ' ' || done || ' ' || remaining from queues.bulk_state where act_id = :act), 'done 5 0', 'the act is done');
select is((select count(distinct retry_of) || ' ' || count(*) from queues.task where retry_of is not null), '5 5', 'one retry each');
select is((select array_agg(a.actor || ' ' || a.action) from queues.audit as a where a.object = :'act' and a.action like 'bulk%'), array['test_operator bulk_task_retry'], 'one entry in the audit, of the person');
select is((select array_agg(s.started_by) from queues.bulk_started as s where s.act_id = :act), array['test_operator'], 'also in the act');
select is((select count(*) from internal.acting), 0::bigint, 'no role is left acting');
select is(queues.start_bulk(:act), null, 'nothing is left to start');
-- The rights of the role that started it count, not those of the worker.
select test.run(test.enqueue('test.answer', '{"answer": {"status": "failed", "error": "x"}}'));
select act_id as act from queues.preview_bulk('task_retry', 'failed') \gset
set local session authorization test_operator;
select queues.start_bulk(:act) as carrier \gset
reset session authorization;
select test.run(:carrier);
select is((select array_agg(d.result || ' ' || d.message) from queues.bulk_done as d where d.act_id = :act), array['refused role "test_operator" may not enqueue "test.answer"'], 'a reserved function stays reserved');
select act_id as act from queues.preview_bulk('task_retry', 'failed') \gset
set local session authorization test_operator;
select queues.start_bulk(:act) as carrier \gset
reset session authorization;
revoke queues_operator from test_operator;
select is(test.run(:carrier), 'failed', 'who is no operator any more');
select is((select left(error_message, 100) from queues.error where task_id = :carrier), format('function queues.carry_bulk failed: role "test_operator", who started act %s, is no operator any more', :act), 'is told so');
select is((select count(*) from queues.bulk_done where act_id = :act), 0::bigint, 'and acts on nothing');
select isnt(queues.start_bulk(:act), :carrier::bigint, 'another person starts it again');
-- Stopped, and called by hand.
select carrier_task_id as carrier from queues.bulk_state where act_id = :act \gset
select queues.stop_bulk(:act);
select is(test.run(:carrier), 'succeeded', 'a stopped act');
select is((select result->>'note' from queues.task_completed where task_id = :carrier), format('act %s was stopped', :act), 'is not carried on');
select throws_ok(format('select queues.start_bulk(%s)', :act), '55000', format('act %s was stopped', :act), 'nor started');
select throws_ok('select queues.start_bulk(99999)', 'P0002', 'act 99999 does not exist', 'an unknown one is refused');
select is((select count(*) from unnest(array['test_observer', 'queues_enqueuer', 'worker_service_user', 'queues_runner']) as r where test.sqlstate_as(r, 'select queues.start_bulk(1)') <> '42501'), 0::bigint, 'only operators start');
select is(test.sqlstate_as('worker_service_user', 'select queues.carry_bulk(''{"act_id": 1}'')'), '42501', 'a worker carries by a run only');
-- Cancels and revivals name the person.
select test.process(7, 'wait');
select test.process_id(7) as process \gset
grant queues_operator to test_operator;
select queues.end_process(:process, 'enough');
select act_id as act from queues.preview_bulk('process_revive', _ids => array[:process]) \gset
set local session authorization test_operator;
select queues.start_bulk(:act) as carrier \gset
reset session authorization;
select test.run(:carrier);
select is((select r.revived_by from queues.process_revived as r where r.process_id = :process), 'test_operator', 'the fact names the person who started it');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
