begin;
select plan(1);
select queues.enqueue('http', '{"a": 1}', _dedup_key => 'k') as id \gset
select queues.enqueue('http', '{"b": 2}', _dedup_key => 'k', _dedup_policy => 'merge');
select test.lease(:id);
select queues.finish(test.worker(), :id, 1, 'failed', null, 'x');
select queues.retry_task(:id) as new \gset
select is((select payload from queues.task where task_id = :new), '{"a": 1, "b": 2}', 'what was handed out');
select * from finish();
rollback;
