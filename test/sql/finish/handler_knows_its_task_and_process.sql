-- What a handler enqueues has an origin, and belongs to the process of its task.
begin;
select plan(5);
create function test.enqueues(_payload jsonb) returns jsonb language sql security definer set search_path = pg_catalog, pg_temp as $$
    select queues.enqueue('db_function', '{"db_function": "test.ok"}');
    select '{"status": "succeeded", "payload": {"url": "https://x/"}}'::jsonb $$;
select internal.allow_function('test.enqueues', 'before,success');
select test.process(1, 'again');
select queues.enqueue('http', '{"before_handler": "test.enqueues", "success_handler": "test.enqueues"}') as id \gset
select test.unguard('queues.task');
update queues.task set process_id = test.process_id(1) where task_id = :id;
update queues.ready set process_id = test.process_id(1) where task_id = :id;
select is(test.dispatch(:id), 'send', 'before handler');
select is(queues.finish(test.worker(), :id, 1, 'succeeded'), 'completed', 'success handler');
select is((select array_agg((origin_task_id, process_id = test.process_id(1))::text) from queues.task where task_id > :id), array[format('(%s,t)', :id), format('(%s,t)', :id)], 'both know whose work it is');
select is(queues.current_task_id(), null, 'nothing afterwards');
select test.enqueue() as other \gset
select ok((select origin_task_id is null and process_id is null from queues.task where task_id = :other), 'nor for a later task');
select * from finish();
rollback;
