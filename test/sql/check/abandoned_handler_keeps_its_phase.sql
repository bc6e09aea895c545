begin;
select plan(3);
select test.enqueue_email('{"on_success": "raise"}') as id \gset
select test.dispatch(:id);
select queues.finish(test.worker(), :id, 1, 'succeeded', '{"id": "m1"}');
select test.lease(:id), queues.expire_lease(:id);
select is((select phase from queues.ready where task_id = :id)::text, 'h', 'still only the handler');
select is(test.dispatch(:id), 'stored', 'it is never sent again');
select is_empty($$select * from queues.check() where invariant in ('ready_follows_facts', 'running_follows_facts')$$, 'facts and working set agree');
select * from finish();
rollback;
