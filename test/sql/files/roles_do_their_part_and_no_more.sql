begin;
select plan(8);
create role test_application login;
grant queues_enqueuer to test_application;
select is(test.sqlstate_as('test_application', $$select files.kickoff_file_deletion((files.create_file('b', 'k')).created_file_id)$$), '00000', 'an application writes and kicks off');
select is(test.sqlstate_as('worker_service_user', 'call worker.process_tasks()'), '00000', 'the worker runs');
select test.deletion_task() as id \gset
select test.lease(:id);
select is(test.sqlstate_as('worker_service_user', format('select queues.begin_dispatch(%L, %s, 1)', test.worker(), :id)), '00000', 'the before handler');
select is(test.sqlstate_as('worker_service_user', format('select queues.finish(%L, %s, 1, %L, null, %L)', test.worker(), :id, 'failed', 'e')), '00000', 'and the error handler');
select is((select count(*) from files.file_deletion_attempt_failed), 1::bigint, 'which writes');
select is(test.sqlstate_as('test_application', 'select * from files.file'), '42501', 'an application reads no table');
select is(test.sqlstate_as('test_application', 'select files.mark_file_deleted(1)'), '42501', 'and marks nothing as deleted');
select is(test.sqlstate_as('worker_service_user', 'select files.kickoff_file_deletion(1)'), '42501', 'the worker kicks nothing off');
select * from finish();
rollback;
