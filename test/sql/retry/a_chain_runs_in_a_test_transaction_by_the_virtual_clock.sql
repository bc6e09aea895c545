begin;
select plan(2);
select queues.set_test_clock('2030-01-01 09:00+00');
select queues.enqueue('db_function', '{"db_function": "test.raises"}', '2030-01-01 09:00+00', _max_attempts => 3, _backoff => '{"kind": "constant", "base": 3600, "jitter": 0}') as one \gset
call worker.process_tasks();
select is((select array_agg(scheduled_at at time zone 'UTC' order by attempt)::text from queues.task_chain where chain_id = :one), '{"2030-01-01 09:00:00","2030-01-01 10:00:00"}', 'the second attempt waits for its time');
select queues.set_test_clock('2030-01-01 10:00+00');
call worker.process_tasks();
select is((select count(*) from queues.task_chain where chain_id = :one), 3::bigint, 'and runs then');
select * from finish();
rollback;
