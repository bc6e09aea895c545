-- The second lease brought a failure, and its handler failed; then the success of the first lease came.
begin;
select plan(6);
select test.enqueue_email('{"on_error": "raise"}') as id \gset
select is(test.dispatch(:id), 'send', 'sent');
select test.expire(:id), test.take_back();
select is(test.dispatch(:id), 'send', 'sent again');
select is(queues.finish(test.worker(), :id, 2, 'failed', null, 'refused'), 'handler_failed', 'the failure is kept');
select is(queues.finish(test.worker(), :id, 1, 'succeeded', '{"id": "m1"}'), 'fenced', 'a success comes late');
select test.lease(:id);
select is(queues.finish(test.worker(), :id, 3, 'stored'), 'completed', 'the next lease finishes');
select is(test.outcome(:id), 'succeeded', 'as succeeded');
select * from finish();
rollback;
