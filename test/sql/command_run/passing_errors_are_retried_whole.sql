begin;
select plan(8);
select worker.enqueue('hooked', '{"before": "40P01"}') as before, worker.enqueue('act', '{"raise": "40001"}') as handler, worker.enqueue('hooked', '{"after": "55P03"}') as after \gset
select test.lease(:before) as a, test.lease(:handler) as b, test.lease(:after) as c \gset
select throws_ok(format('select * from queues.begin_dispatch(test.worker(), %s, %s)', :before, :a), '40P01', null, 'in the before hook');
select throws_ok(format('select * from queues.execute(test.worker(), %s, %s)', :handler, :b), '40001', null, 'in the handler');
select throws_ok(format('select * from queues.execute(test.worker(), %s, %s)', :after, :c), '55P03', null, 'in the after hook');
select is(queues.finish(test.worker(), :handler, :b, 'transient', null, 'x'), 'retry', 'the program asks for another run');
select is(test.state(:handler), 'pending', 'it waits for it');
update queues.running set retry_count = 10 where task_id = :before;
select is(queues.finish(test.worker(), :before, :a, 'transient', null, 'x'), 'completed', 'after ten of them');
select is(test.error_of(:before), 'gave up after 10 passing errors: x', 'it has failed');
select is(test.effects('hook_after'), 1::bigint, 'and its after hook runs');
select * from finish();
rollback;
