begin;
select plan(6);
select queues.enqueue('http', '{"request": {"url": "https://x/"}}') as id \gset
select is(test.dispatch(:id), 'send', 'sent');
select test.expire(:id), test.take_back();
select is(queues.finish(test.worker(), :id, 1, 'answered', '{"status": 201}'), 'fenced', 'the answer comes late');
select is(test.dispatch(:id), 'stored', 'the next lease need not send');
select is(queues.finish(test.worker(), :id, 2, 'stored'), 'completed', 'it finishes');
select is(test.outcome(:id), 'succeeded', 'as its status says');
select queues.enqueue('http', '{"request": {"url": "https://x/"}}') as id \gset
select test.dispatch(:id);
select test.expire(:id), test.take_back();
select queues.finish(test.worker(), :id, 1, 'answered', '{"status": 503}');
select is(test.dispatch(:id), 'send', 'a late refusal is no reason not to try');
select * from finish();
rollback;
