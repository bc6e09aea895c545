begin;
select plan(5);
select test.enqueue('test.spawns') as id \gset
select is(test.run(:id), 'succeeded', 'the run succeeds');
select is((select origin_task_id from queues.task where task_id > :id), :id::bigint, 'what it enqueued refers to it');
select is((select (detail->>'task')::bigint from test.effect where what = 'spawns'), :id::bigint, 'current_task_id names it');
select is(queues.current_task_id(), null, 'and nothing after the run');
select test.enqueue() as other \gset
select is((select origin_task_id from queues.task where task_id = :other), null, 'nor has a later task an origin');
select * from finish();
rollback;
