-- After a lost connection the program asks again, under the same lease.
begin;
select plan(2);
select test.enqueue_email() as id \gset
select test.lease(:id);
select idempotency_key as key from queues.begin_dispatch(test.worker(), :id, 1) \gset
select is((select (decision, idempotency_key)::text from queues.begin_dispatch(test.worker(), :id, 1)), format('(send,%s)', :'key'), 'the same answer');
select is((select count(*) from queues.task_dispatched where task_id = :id), 1::bigint, 'one dispatch');
select * from finish();
rollback;
