begin;
select plan(3);
select test.enqueue_email() as id \gset
select is(test.dispatch(:id), 'send', 'sent');
select test.expire(:id), test.take_back();
select is(queues.finish(test.worker(), :id, 1, 'failed', null, 'refused'), 'fenced', 'a failure comes late');
select is(test.dispatch(:id), 'send', 'it proves nothing');
select * from finish();
rollback;
