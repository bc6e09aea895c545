begin;
select plan(3);
select worker.enqueue('merged', '{"kind": "a", "ids": [1]}') as id, worker.enqueue('merged', '{"kind": "a", "ids": [2]}') \gset
select queues.cancel_task(:id, 'not needed');
select is((select count(*) from queues.merging), 0::bigint, 'nothing is left to be merged');
select is((select count(*) from queues.task_changed where task_id = :id and payload->'ids' = '[2]'), 1::bigint, 'it is a fact');
select is((select count(*) from queues.claim(test.worker(), _limit => 10)), 0::bigint, 'and no task of its own');
select * from finish();
rollback;
