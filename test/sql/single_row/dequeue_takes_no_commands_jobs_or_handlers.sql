begin;
select plan(2);
select throws_ok(format('select queues.dequeue_next_available_task(_types => array[%L])', t), '22023', null, t) from unnest(array['command']) as t;
select test.enqueue_email('{"on_success": "raise"}') as pending \gset
select test.dispatch(:pending);
select queues.finish(test.worker(), :pending, 1, 'succeeded');
select test.make_due(:pending);
select ok((select t is null from queues.dequeue_next_available_task() as t), 'not a task whose handler is pending');
select * from finish();
rollback;
