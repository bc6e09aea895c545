begin;
select plan(1);
select test.enqueue_email() as id \gset
select test.dispatch(:id);
select test.expire(:id);
select is(queues.finish(test.worker(), :id, 1, 'succeeded'), 'completed', 'nobody took it back');
select * from finish();
rollback;
