begin;
select plan(2);
select test.enqueue_email() as id \gset
select test.lease(:id);
select queues.cancel_task(:id);
select is((select decision from queues.begin_dispatch(test.worker(), :id, 1)), 'completed', 'nothing is sent');
select is(test.outcome(:id), 'cancelled', 'cancelled');
select * from finish();
rollback;
