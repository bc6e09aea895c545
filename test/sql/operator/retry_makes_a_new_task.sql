begin;
select plan(8);
select queues.enqueue('http', '{"a": 1}', _queue => 'default', _priority => 7, _max_crashes => 3, _timeout => '9 s', _on_in_doubt => 'fail') as id \gset
select throws_ok(format('select queues.retry_task(%s)', :id), '55000', null, 'an open task is not done again');
select queues.cancel_task(:id);
select queues.retry_task(:id, now() + interval '1 hour') as new \gset
select is((select (t.task_type, t.payload, t.queue, t.priority, t.max_crashes, t.timeout, t.on_in_doubt, t.retry_of)::text from queues.task as t where task_id = :new),
          format('(http,"{""a"": 1}",default,7,3,00:00:09,fail,%s)', :id), 'same type, payload and extras');
select is((select available_at from queues.ready where task_id = :new), now() + interval '1 hour', 'at the time asked for');
select isnt((select task_uuid from queues.task where task_id = :new), (select task_uuid from queues.task where task_id = :id), 'with a key of its own');
select is((select idempotency_key from queues.task where task_id = :new), null, 'not the old one');
select is(test.outcome(:id), 'cancelled', 'the old one keeps its end');
select throws_ok(format('select queues.retry_task(%s, %L)', :id, 'infinity'), '22008', null, 'infinite time');
select throws_ok('select queues.retry_task(999999999)', 'P0002', null, 'unknown task');
select * from finish();
rollback;
