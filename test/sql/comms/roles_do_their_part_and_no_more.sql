-- An application kicks off, the worker carries out, nobody reads a message who should not.
begin;
select plan(12);
create role test_application login;
grant queues_enqueuer to test_application;
select is(test.sqlstate_as('test_application', $$select comms.create_and_kickoff_email_task('a@x', 'b@x', 's', 'h')$$), '00000', 'an application writes and kicks off');
select is(test.sqlstate_as('worker_service_user', 'call worker.process_tasks()'), '00000', 'the worker runs');
select is((select count(*) from comms.send_email_attempt), 1::bigint, 'the supervisor');
select test.email_task() as id \gset
select test.lease(:id);
select is(test.sqlstate_as('worker_service_user', format('select queues.begin_dispatch(%L, %s, 1)', test.worker(), :id)), '00000', 'the before handler');
select is(test.sqlstate_as('worker_service_user', format('select queues.finish(%L, %s, 1, %L)', test.worker(), :id, 'succeeded')), '00000', 'and the success handler');
select test.sqlstate_as('worker_service_user', 'call worker.process_tasks()');
select is((select end_reason from queues.process_state), 'succeeded', 'to the end');
select is(test.sqlstate_as('worker_service_user', $$select comms.create_and_kickoff_email_task('a@x', 'b@x', 's', 'h')$$), '42501', 'the worker kicks nothing off');
select is(test.sqlstate_as('test_application', 'select * from comms.email_message'), '42501', 'an application reads no table');
select is_empty($$select f from unnest(array['send_email_supervisor(''{}'')', 'record_email_success(''{}'')', 'schedule_email_attempt(1)',
    'record_lost_sms_attempts(1)', 'start_send_sms_task(1, now())']) as f
    where test.sqlstate_as('test_application', 'select comms.' || f) <> '42501'$$, 'and calls no supervisor, handler or effect');
select is(test.sqlstate_as('queues_observer', 'select * from comms.email_message'), '42501', 'an observer reads no message');
select is(test.sqlstate_as('queues_operator', 'select * from comms.email_message'), '00000', 'an operator does');
select is(test.sqlstate_as('queues_operator', 'delete from comms.message'), '42501', 'but changes none');
select * from finish();
rollback;
