begin;
select plan(2);
select test.enqueue('test.asserts') as id \gset
select is(test.run(:id), 'failed', 'failed');
select is((select sqlstate from queues.error where task_id = :id), 'P0004', 'with its code');
select * from finish();
rollback;
