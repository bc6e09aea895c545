begin;
select plan(6);
select test.enqueue_email() as id \gset
select is(test.dispatch(:id), 'send', 'sent');
select test.expire(:id), test.take_back();
select is(queues.finish(test.worker(), :id, 1, 'succeeded', '{"id": "m1"}'), 'fenced', 'the answer comes late');
select is(test.dispatch(:id), 'stored', 'the next lease need not send');
select is(queues.finish(test.worker(), :id, 2, 'stored'), 'completed', 'it finishes');
select is(test.outcome(:id), 'succeeded', 'as succeeded');
select is((select detail->'worker_payload' from test.effect where what = 'success'), '{"id": "m1"}', 'with the late result');
select * from finish();
rollback;
