begin;
select plan(5);
select queues.enqueue('http', null, null, null, null, null, 'skip', null, null, null, null) as id \gset
select is((select payload from queues.task where task_id = :id), '{}', 'a null payload becomes an empty object');
select is((select scheduled_at from queues.task where task_id = :id), now(), 'a null time becomes now');
select is((select queue from queues.task where task_id = :id), 'http', 'a null queue becomes that of the type');
select is((select priority from queues.task where task_id = :id), 0::bigint, 'a null priority becomes 0');
select isnt((select task_uuid from queues.task where task_id = :id), null, 'a channel task has a random name');
select * from finish();
rollback;
