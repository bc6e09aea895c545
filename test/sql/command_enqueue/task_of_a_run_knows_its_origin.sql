begin;
select plan(2);
select worker.enqueue('act', '{"top": {"n": 1}, "children": [{"n": 2}]}') as id \gset
select test.run_command(:id);
select is((select count(*) from queues.task where origin_task_id = :id), 2::bigint, 'what it enqueued and what it spawned');
select is((select array_agg(parent_id) from queues.task where origin_task_id = :id and payload->'n' = '1'), array[null::bigint], 'what was enqueued is at the top');
select * from finish();
rollback;
