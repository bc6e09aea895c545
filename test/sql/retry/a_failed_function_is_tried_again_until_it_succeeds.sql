begin;
select plan(9);
select queues.enqueue('db_function', '{"db_function": "test.raises"}', _max_attempts => 3, _backoff => '{"kind": "constant", "base": 60, "jitter": 0}',
                      _priority => 7, _max_crashes => 4, _timeout => '90 s') as one \gset
select is(test.run(:one), 'failed', 'the first attempt fails');
select internal.last_attempt(:one) as two \gset
select isnt(:two::bigint, :one, 'there is a second one');
select is((select (retry_of, attempt, max_attempts, chain_id, priority, max_crashes, timeout, payload)::text from queues.task join queues.task_attempt using (task_id) where task_id = :two),
          (select row(:one, 2, 3, :one, 7, 4, interval '90 s', payload)::text from queues.task where task_id = :one), 'it takes over what describes the work');
select is((select round(extract(epoch from r.available_at - c.completed_at)::numeric) from queues.ready as r, queues.task_completed as c where r.task_id = :two and c.task_id = :one),
          60::numeric, 'it waits as the policy says');
select is(test.run(:two), 'failed', 'it fails, too');
select is(test.run(internal.last_attempt(:one)), 'failed', 'and the third');
select is((select count(*) from queues.task), 3::bigint, 'that was the last');
select is((select array_agg(attempt || ' ' || state || ' ' || outcome order by attempt)::text from queues.task_chain where chain_id = :one),
          '{"1 completed failed","2 completed failed","3 completed failed"}', 'the chain tells it as one story');
select is(test.violations(), 'not_before_its_time', 'the facts agree, but for the time that the test passed over');
select * from finish();
rollback;
