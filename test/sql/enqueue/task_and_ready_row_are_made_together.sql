begin;
select plan(6);
select test.enqueue('test.ok', '{"a": 1}') as id \gset
select is((select payload from queues.task where task_id = :id), '{"db_function": "test.ok", "a": 1}', 'the payload is kept as it came');
select is((select queue from queues.task where task_id = :id), 'default', 'the queue is the default of the type');
select is((select scheduled_at from queues.task where task_id = :id), now(), 'it is scheduled for the start of the transaction');
select is(test.place(:id), 'ready', 'it waits');
select is((select available_at from queues.ready where task_id = :id), now(), 'it is due at once');
select is((select priority from queues.ready where task_id = :id), 0::bigint, 'its priority is 0');
select * from finish();
rollback;
