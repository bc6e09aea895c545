begin;
select plan(4);
set local client_min_messages = error;
select worker.register_command('x', 'test.plain', 'default', 'test.hook_before', p_dedup_keys => '{}', p_merge_rules => '{"ids": "union"}');
select worker.enqueue('x', '{"ids": [1]}') as id, worker.enqueue('x', '{"ids": [2]}') \gset
select test.lease(:id) as lease \gset
select decision from queues.begin_dispatch(test.worker(), :id, :lease);
-- Committed by another session between the two steps.
insert into queues.merging (task_id, payload, available_at, priority, merged_at, merged_by) values (:id, '{"command": "x", "ids": [3]}', now(), 0, now(), 'somebody');
select outcome from queues.execute(test.worker(), :id, :lease);
select is(test.calls('hook_before'), array['{"ids": [1, 2]}']::jsonb[], 'the hook');
select is(test.calls('plain'), array['{"ids": [1, 2]}']::jsonb[], 'the handler');
select task_id as next from queues.claim(test.worker(), _limit => 10) \gset
select is((select payload->'ids' from worker.tasks where id = :next), '[3]', 'what came between is done by the next task');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
