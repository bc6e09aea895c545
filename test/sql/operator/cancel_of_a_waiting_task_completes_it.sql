begin;
select plan(8);
select test.enqueue() as id \gset
select is(queues.cancel_task(:id, 'no longer needed'), 'cancelled', 'cancelled');
select is((select (outcome, result->>'reason', completed_by)::text from queues.task_completed where task_id = :id), '(cancelled,"no longer needed",postgres)', 'with reason and actor');
select is(test.place(:id), 'completed', 'it waits no more');
select is(queues.cancel_task(:id), 'completed', 'twice is too late');
select is((select count(*) from queues.audit where action = 'cancel_task' and object = :id::text and actor = session_user), 2::bigint, 'both acts are on record');
select throws_ok('select queues.cancel_task(999999999)', 'P0002', null, 'unknown task');
select throws_ok('select queues.cancel_task(null)', 'P0002', null, 'no task');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
