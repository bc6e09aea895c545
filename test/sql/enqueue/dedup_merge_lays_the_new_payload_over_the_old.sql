begin;
select plan(9);
select queues.enqueue('http', '{"a": 1, "b": 1}', now() + interval '1 hour', _priority => 5, _dedup_key => 'k') as id \gset
select is(queues.enqueue('http', '{"b": 2, "c": 3}', now() + interval '2 hours', _priority => 3, _dedup_key => 'k', _dedup_policy => 'merge'),
          :id::bigint, 'the same id');
select is((select payload from queues.ready where task_id = :id), '{"a": 1, "b": 2, "c": 3}', 'payloads are merged key by key');
select is((select priority from queues.ready where task_id = :id), 3::bigint, 'the smaller priority');
select is((select available_at from queues.ready where task_id = :id), now() + interval '1 hour', 'the earlier time');
select is((select payload from queues.task where task_id = :id), '{"a": 1, "b": 1}', 'the fact is not touched');
select is((select (change_no, reason, payload, priority)::text from queues.task_changed where task_id = :id),
          '(1,merge,"{""b"": 2, ""c"": 3}",3)', 'the change is a fact');
select queues.enqueue('http', '{"d": 4}', now() - interval '1 s', _dedup_key => 'k', _dedup_policy => 'merge');
select is((select task_id from queues.claim(test.worker())), :id, 'it is claimed under its new key');
select is((select payload from queues.task_lease where task_id = :id), '{"a": 1, "b": 2, "c": 3, "d": 4}', 'the lease records what was handed out');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
