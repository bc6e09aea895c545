begin;
select plan(2);
select test.enqueue() as id \gset
select test.lease(:id);
select is(queues.cancel_task(:id), 'requested', 'it runs');
select test.expire(:id);
select test.take_back();
select is(test.outcome(:id), 'cancelled', 'its holder died: cancelled');
select * from finish();
rollback;
