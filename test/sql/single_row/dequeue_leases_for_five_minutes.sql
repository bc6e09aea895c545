begin;
select plan(6);
select test.enqueue(_more => '{"a": 1}') as id \gset
select to_jsonb(t) as before from queues.task as t where task_id = :id \gset
create temp table got as select * from queues.dequeue_next_available_task();
select is((select task_id from got), :id, 'the task');
select is((select payload from got), '{"db_function": "test.ok", "a": 1}', 'with its payload');
select is((select count(*) from queues.task_lease where task_id = :id and expires_at - leased_at = interval '5 minutes'), 1::bigint, 'one lease of five minutes');
select is((select to_jsonb(t) from queues.task as t where task_id = :id), :'before'::jsonb, 'the task row is unchanged');
select is(queues.held_lease(:id), 1, 'its number');
select ok((select t is null from queues.dequeue_next_available_task() as t), 'nothing else is due');
select * from finish();
rollback;
