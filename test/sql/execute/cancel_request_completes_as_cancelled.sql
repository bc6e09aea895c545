begin;
select plan(4);
select test.enqueue() as id \gset
select test.lease(:id);
select is(queues.cancel_task(:id, 'not needed'), 'requested', 'asked');
select is((select outcome from queues.execute(test.worker(), :id, 1)), 'cancelled', 'respected');
select is(test.effects('ok'), 0::bigint, 'nothing ran');
select is(test.outcome(:id), 'cancelled', 'completed');
select * from finish();
rollback;
