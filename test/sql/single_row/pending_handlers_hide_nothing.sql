-- A handler-pending task at the front is not for this caller; what is behind it is.
begin;
select plan(2);
select test.enqueue_email('{"on_success": "raise"}') as pending \gset
select test.dispatch(:pending);
select queues.finish(test.worker(), :pending, 1, 'succeeded');
update queues.ready set available_at = now() - interval '1 hour', priority = -9 where task_id = :pending;
select test.enqueue() as behind \gset
select is((select task_id from queues.dequeue_next_available_task()), :behind, 'the one behind it');
-- In one lane with it, too.
select test.enqueue() as beside \gset
update queues.ready set priority = 0, queue_id = (select queue_id from queues.queue where queue = 'default') where task_id = :pending;
select is((select task_id from queues.dequeue_next_available_task()), :beside, 'the one beside it');
select * from finish();
rollback;
