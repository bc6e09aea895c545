begin;
select plan(4);
select test.enqueue('test.asserts') as id \gset
select is(test.run(:id), 'failed', 'failed');
select is((select sqlstate from queues.error where task_id = :id), 'P0004', 'with its code');
select test.enqueue('test.asserts') as id \gset
select test.lease(:id);
select is((select outcome from queues.execute_batch(test.worker(), array[:id]::bigint[], array[1])), 'failed', 'in a batch');
select is((select sqlstate from queues.error where task_id = :id), 'P0004', 'with its code, too');
select * from finish();
rollback;
