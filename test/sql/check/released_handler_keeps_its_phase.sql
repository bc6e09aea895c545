begin;
select plan(4);
select test.enqueue_email('{"on_success": "raise"}') as id \gset
select test.dispatch(:id);
select queues.finish(test.worker(), :id, 1, 'succeeded');
select test.lease(:id);
select is((select count(*) from queues.release(test.worker(), array[:id]::bigint[], array[2])), 1::bigint, 'given back');
select is((select phase from queues.ready where task_id = :id)::text, 'h', 'still only the handler');
select is_empty($$select * from queues.check() where invariant in ('ready_follows_facts', 'running_follows_facts')$$, 'facts and working set agree');
select is((select how from queues.task_lease_ended where task_id = :id and lease_no = 2), 'released', 'by a fact');
select * from finish();
rollback;
