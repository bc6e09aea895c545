begin;
select plan(6);
select test.enqueue_email() as id \gset
select test.dispatch(:id);
select is(queues.finish(test.worker(), :id, 1, 'succeeded', '{}'), 'completed', 'once');
select is(queues.finish(test.worker(), :id, 1, 'succeeded', '{}'), 'duplicate', 'twice');
select is(test.effects('success'), 1::bigint, 'the handler ran once');
select is((select count(*) from queues.late_result), 0::bigint, 'no late result');
select test.enqueue() as passing \gset
select test.lease(:passing);
select is(queues.finish(test.worker(), :passing, 1, 'transient'), 'retry', 'a retry');
select is(queues.finish(test.worker(), :passing, 1, 'transient'), 'duplicate', 'said twice');
select * from finish();
rollback;
