begin;
select plan(5);
select queues.enqueue('http', '{"a": 1}', now() + interval '1 hour', _dedup_key => 'k') as id \gset
select is(queues.enqueue('http', '{"a": 2}', _dedup_key => 'k'), :id::bigint, 'the same id');
select is((select count(*) from queues.task), 1::bigint, 'one task');
select is((select payload from queues.task where task_id = :id), '{"a": 1}', 'with the first payload');
select isnt(queues.enqueue('http', '{}', _queue => 'default', _dedup_key => 'k'), :id::bigint, 'another queue is another scope');
select isnt(queues.enqueue('http', '{}', _dedup_key => 'K'), :id::bigint, 'another key is another task');
select * from finish();
rollback;
