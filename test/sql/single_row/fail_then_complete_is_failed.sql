begin;
select plan(2);
select test.enqueue() as id \gset
select task_id from queues.dequeue_next_available_task();
select queues.fail_task(:id, 'no');
select is(queues.complete_task(:id), 'completed', 'completed');
select is(test.outcome(:id), 'failed', 'as failed');
select * from finish();
rollback;
