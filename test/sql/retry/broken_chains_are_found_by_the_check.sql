begin;
select plan(3);
select queues.enqueue('db_function', '{"db_function": "test.raises"}', _max_attempts => 3) as one \gset
select test.run(:one);
select test.unguard('queues.task_attempt'), test.unguard('queues.task_completed');
update queues.task_attempt set attempt = 3 where task_id = internal.last_attempt(:one);
select is(test.violations(), 'attempts_follow_each_other', 'a gap');
update queues.task_attempt set attempt = 2 where chain_id = :one and attempt = 3;
update queues.task_completed set outcome = 'succeeded' where task_id = :one;
select is(test.violations(), 'only_failures_are_retried', 'a retry of a success');
update queues.task_completed set outcome = 'failed' where task_id = :one;
select queues.enqueue('http', '{"request": {"url": "https://example.com/x"}}', _max_attempts => 3) as call \gset
select test.dispatch(:call);
select queues.finish(test.worker(), :call, 1, 'failed', null, 'refused', 'refused');
select test.dispatch(internal.last_attempt(:call));
select test.unguard('queues.task_dispatched');
update queues.task_dispatched set idempotency_key = 'other' where task_id = :call;
select ok(test.violations() like '%one_key_per_chain%', 'two keys in one chain');
select * from finish();
rollback;
