begin;
select plan(7);
select test.enqueue_email('{"n": 1}') as id \gset
select test.lease(:id);
create temp table sent as select * from queues.begin_dispatch(test.worker(), :id, 1);
select is((select (decision, adapter, timeout)::text from sent), '(send,email,00:01:00)', 'the decision');
select is((select request from sent), '{"from_address": "a@x", "to_address": "b@x", "subject": "s", "html": "h"}', 'what the before handler returned');
select is((select detail->'n' from test.effect where what = 'before'), '1', 'it got the whole payload');
select is((select (lease_no, adapter, idempotency_key)::text from queues.task_dispatched where task_id = :id),
          format('(1,email,%s)', (select idempotency_key from sent)), 'a dispatch fact with the key');
select is((select count(*) from queues.task_lease_renewed where task_id = :id), 1::bigint, 'the lease is renewed');
select is(test.place(:id), 'running', 'it runs');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
