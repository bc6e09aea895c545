begin;
select plan(11);
select test.enqueue_email() as good, test.enqueue_email() as bad, test.enqueue_email('{"before": "raise"}') as unprepared, test.enqueue_email('{"on_success": "raise"}') as pending \gset
select is(queues.simulate(:good), 'completed', 'an answer');
select is(test.outcome(:good), 'succeeded', 'succeeded');
select is(queues.simulate(:bad, 'failed', null, 'refused'), 'completed', 'a failure');
select is(test.last_error(:bad), 'refused', 'with its text');
select is(queues.simulate(:unprepared), 'completed', 'a before handler that raises');
select is(test.outcome(:unprepared), 'failed', 'has failed');
select is(queues.simulate(:pending), 'handler_failed', 'a handler that raises');
select is(queues.simulate(:pending), 'handler_failed', 'is played again alone');
select is((select count(*) from queues.task_dispatched where task_id = :pending), 1::bigint, 'with one dispatch');
select throws_ok(format('select queues.simulate(%s)', :good), '55000', null, 'a completed task does not wait');
select throws_ok('select queues.simulate(999999999)', 'P0002', null, 'unknown task');
select * from finish();
rollback;
