begin;
select plan(1);
select queues.enqueue('http', '{"a": 1}', _dedup_key => 'k') as id \gset
select queues.enqueue('http', '{"b": 2}', _dedup_key => 'k', _dedup_policy => 'merge');
select is((select payload from queues.dequeue_next_available_task()), '{"a": 1, "b": 2}', 'merged');
select * from finish();
rollback;
