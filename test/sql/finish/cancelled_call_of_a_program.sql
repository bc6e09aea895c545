-- A call that was interrupted by a request to cancel ends as cancelled; without a request the class means nothing.
begin;
select plan(5);
select queues.register_task_type('resize_image', 'program');
select queues.enqueue('resize_image', '{"n": 1}', _max_attempts => 3) as id \gset
select queues.enqueue('resize_image', '{"n": 2}') as other \gset
select queues.enqueue('resize_image', '{"n": 3}') as done \gset
select test.dispatch(:id), test.dispatch(:other), test.dispatch(:done);
select is(queues.cancel_task(:id), 'requested', 'it runs');
select queues.cancel_task(:done);
select is((select state from queues.renew(test.worker(), array[:id]::bigint[], array[1])), 'stop', 'the worker is told');
select queues.finish(test.worker(), :id, 1, 'failed', null, 'cancelled', 'cancelled'),
       queues.finish(test.worker(), :other, 1, 'failed', null, 'cancelled', 'cancelled'),
       queues.finish(test.worker(), :done, 1, 'succeeded', '{"ok": true}', null, null);
select is(test.outcome(:id), 'cancelled', 'cancelled, and not retried');
select is(test.outcome(:other), 'failed', 'nobody had asked');
select is(test.outcome(:done), 'succeeded', 'a result counts');
select * from finish();
rollback;
