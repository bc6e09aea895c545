begin;
select plan(5);
select test.enqueue_email() as id \gset
select is(test.dispatch(:id), 'send', 'dispatched');
select test.expire(:id);
create temp table again as select * from queues.claim(test.worker('two'));
select is((select mode from again), 'dispatch', 'the next lease sends again');
select is(test.last_error(:id), 'in doubt: lease 1 was dispatched without a result, sending again with the same key', 'and a fact says so');
select is((select idempotency_key from queues.begin_dispatch(test.worker('two'), :id, 2)),
          (select task_uuid::text from queues.task where task_id = :id), 'with the same key');
select is((select count(distinct idempotency_key) from queues.task_dispatched where task_id = :id), 1::bigint, 'for both');
select * from finish();
rollback;
