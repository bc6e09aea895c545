begin;
select plan(5);
select test.enqueue_email('{"on_success": "raise"}') as id \gset
select internal.set_config('handler_retry_limit', '2');
select test.dispatch(:id);
select is(queues.finish(test.worker(), :id, 1, 'succeeded', '{}'), 'handler_failed', 'its handler failed');
select is(queues.finish(test.worker(), :id, 1, 'succeeded', '{}'), 'duplicate', 'said twice');
select test.lease(:id);
select is(queues.finish(test.worker(), :id, 2, 'succeeded', '{}'), 'quarantined', 'quarantined now');
select is(queues.finish(test.worker(), :id, 2, 'succeeded', '{}'), 'duplicate', 'said twice');
select is((select count(*) from queues.late_result), 0::bigint, 'no late result');
select * from finish();
rollback;
