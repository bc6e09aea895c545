begin;
select plan(6);
select test.enqueue_email() as again \gset
select test.enqueue_email(_on_in_doubt => 'fail') as never \gset
select test.dispatch(:again), test.dispatch(:never);
select is(queues.finish(test.worker(), :again, 1, 'in_doubt', null, 'timeout'), 'completed', 'policy retry');
select is(test.outcome(:again), 'failed', 'is failed: a supervisor may try again');
select is(queues.finish(test.worker(), :never, 1, 'in_doubt', null, 'timeout'), 'completed', 'policy fail');
select is(test.outcome(:never), 'in_doubt', 'is in doubt');
select is((select count(*) from test.effect where what = 'error' and detail @> '{"in_doubt": true}'), 2::bigint, 'both handlers are told');
select is((select error_class from queues.error where task_id = :never), 'in_doubt', 'so is the fact');
select * from finish();
rollback;
