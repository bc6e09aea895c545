begin;
select plan(4);
select queues.create_queue('one', 1);
select test.enqueue(_queue => 'one') as a, test.enqueue(_queue => 'one') as b \gset
select is((select task_id from queues.dequeue_next_available_task()), :a, 'one');
select ok((select t is null from queues.dequeue_next_available_task() as t), 'at the limit');
select queues.complete_task(:a);
select queues.pause_queue('one');
select ok((select t is null from queues.dequeue_next_available_task() as t), 'paused');
select queues.resume_queue('one');
select is((select task_id from queues.dequeue_next_available_task(array['one'], array['db_function'], interval '1 minute')), :b, 'with every argument');
select * from finish();
rollback;
