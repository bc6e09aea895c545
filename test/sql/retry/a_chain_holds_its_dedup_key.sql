begin;
select plan(5);
select queues.enqueue('db_function', '{"db_function": "test.raises"}', _dedup_key => 'k', _max_attempts => 5) as one \gset
select test.run(:one);
select internal.last_attempt(:one) as two \gset
select is(queues.enqueue('db_function', '{"db_function": "test.raises"}', _dedup_key => 'k'), :two, 'a waiting attempt is the task of its key');
select test.lease(:two);
select queues.enqueue('db_function', '{"db_function": "test.raises", "n": 2}', _dedup_key => 'k') as new \gset
select isnt(:new::bigint, :two, 'one that runs is not');
select is((select outcome from queues.execute(test.worker(), :two, 1)), 'failed', 'it fails');
select is((select dedup_key from queues.task where retry_of = :two), null, 'the next attempt waits beside the new task');
select is(test.violations(), 'not_before_its_time', 'the facts agree, but for the time that the test passed over');
select * from finish();
rollback;
