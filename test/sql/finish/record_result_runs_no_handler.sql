begin;
select plan(8);
select test.enqueue_email() as id \gset
select test.dispatch(:id);
select is(queues.record_result(test.worker(), :id, 1, 'succeeded', '{"id": "m1"}'), 'handler_failed', 'kept for later');
select is(test.effects('success'), 0::bigint, 'no user code ran');
select is((select handler_failures from queues.ready where task_id = :id)::integer, 1, 'it counts as a failure');
select is(test.errors(:id), 1::bigint, 'with an error fact');
select is(queues.record_result(test.worker(), :id, 1, 'succeeded', '{"id": "m1"}'), 'duplicate', 'said twice');
select is(test.dispatch(:id), 'stored', 'the next lease');
select is(queues.finish(test.worker(), :id, 2, 'stored'), 'completed', 'runs the handler');
select is(test.effects('success'), 1::bigint, 'once');
select * from finish();
rollback;
