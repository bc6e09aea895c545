begin;
select plan(1);
select queues.enqueue('http', '{"a": 1}', _dedup_key => 'k') as id \gset
select queues.enqueue('http', '{"b": 2}', _dedup_key => 'k', _dedup_policy => 'merge');
select queues.cancel_task(:id);
select queues.retry_task(:id) as new \gset
select is((select payload from queues.task where task_id = :new), '{"a": 1, "b": 2}', 'nothing merged is lost');
select * from finish();
rollback;
