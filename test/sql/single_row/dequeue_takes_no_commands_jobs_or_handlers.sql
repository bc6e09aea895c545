begin;
select plan(4);
select throws_ok(format('select queues.dequeue_next_available_task(_types => array[%L])', t), '22023', null, t) from unnest(array['command']) as t;
select test.enqueue_email('{"on_success": "raise"}') as pending \gset
select test.dispatch(:pending);
select queues.finish(test.worker(), :pending, 1, 'succeeded');
select test.make_due(:pending);
select ok((select t is null from queues.dequeue_next_available_task() as t), 'not a task whose handler is pending');
select worker.enqueue('plain') as command \gset
select test.job() as job \gset
select ok((select t is null from queues.dequeue_next_available_task() as t), 'nor a command or a job, if no types are named');
select is((select count(*) from queues.ready as r join queues.registered_task_type as y on y.type_id = r.type_id where y.is_reserved), 2::bigint, 'though both wait');
select * from finish();
rollback;
