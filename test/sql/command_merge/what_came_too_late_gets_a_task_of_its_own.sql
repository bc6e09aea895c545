begin;
select plan(8);
select worker.enqueue('merged', '{"kind": "a", "ids": [1]}') as id \gset
select test.run_command(:id);
-- As if its session had found the task waiting and committed only now.
insert into queues.merging (task_id, payload, available_at, priority, merged_at, merged_by) select :id, jsonb_build_object('command', 'merged', 'kind', 'a', 'ids', jsonb_build_array(n)), now(), 0, now(), 'somebody' from generate_series(2, 4) as n;
select is((select array_agg(task_id) from queues.claim(test.worker(), _limit => 10, _take_back => false)), null, 'a claim that takes nothing back sees nothing');
select task_id as second, lease_no as lease from queues.claim(test.worker(), _limit => 10) \gset
select isnt(:second, :id, 'the next one finds a new task');
select is((select count(*) from queues.merging where task_id = :second), 2::bigint, 'one, which has the others merged in');
select outcome from queues.execute(test.worker(), :second, :lease);
select is(test.calls('plain'), array['{"kind": "a", "ids": [1]}', '{"kind": "a", "ids": [2, 3, 4]}']::jsonb[], 'nothing is lost and nothing doubled');
-- Into one that waits already.
select worker.enqueue('merged', '{"kind": "a", "ids": [5]}') as third \gset
insert into queues.merging (task_id, payload, available_at, priority, merged_at, merged_by) values (:id, '{"command": "merged", "kind": "a", "ids": [6]}', now(), 0, now(), 'somebody');
select is((select task_id from queues.claim(test.worker(), _limit => 10)), :third, 'a task that waits takes it');
select is((select merged_by from queues.merging where task_id = :third), 'somebody', 'and who sent it');
select is((select count(*) from queues.merging where task_id <> :third), 0::bigint, 'nothing is left behind');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
