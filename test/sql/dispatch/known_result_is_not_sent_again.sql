begin;
select plan(3);
select test.enqueue_email('{"on_success": "raise"}') as id \gset
select is(test.dispatch(:id), 'send', 'sent');
select is(queues.finish(test.worker(), :id, 1, 'succeeded', '{"id": "m1"}'), 'handler_failed', 'the handler fails');
select is(test.dispatch(:id), 'stored', 'the next lease has only to finish');
select * from finish();
rollback;
