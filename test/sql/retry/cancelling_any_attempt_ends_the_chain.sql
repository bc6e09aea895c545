begin;
select plan(8);
select queues.enqueue('db_function', '{"db_function": "test.raises"}', _max_attempts => 5) as one \gset
select test.run(:one);
select internal.last_attempt(:one) as two \gset
select throws_ok(format('select queues.retry_task(%s)', :one), '55000', format('task %s is retried by its policy already, as task %s', :one, :two), 'no second retry beside it');
select is(queues.cancel_task(:one), 'cancelled', 'the first, which has ended');
select is(test.outcome(:two), 'cancelled', 'ends the second, which waits');
select is((select count(*) from queues.task), 2::bigint, 'and there is no third');
select is((select (object, detail->>'asked_task_id')::text from queues.audit where action = 'cancel_task'), format('(%s,%s)', :two, :one), 'the audit has both');
select queues.enqueue('db_function', '{"db_function": "test.raises"}', _max_attempts => 5) as other \gset
select test.lease(:other);
select is(queues.cancel_task(:other), 'requested', 'an attempt that runs is asked to end');
select queues.finish(test.worker(), :other, 1, 'failed', null, 'timed out');
select is(internal.last_attempt(:other), :other, 'its failure adds no attempt');
select queues.retry_task(:one) as again \gset
select is((select (retry_of, max_attempts, attempt, chain_id)::text from queues.task join queues.task_attempt using (task_id) where task_id = :again), format('(%s,5,1,%s)', :one, :again), 'a retry by hand begins anew, by the same policy');
select * from finish();
rollback;
