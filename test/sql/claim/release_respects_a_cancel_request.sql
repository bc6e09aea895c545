begin;
select plan(2);
select test.enqueue() as id \gset
select test.lease(:id);
select queues.cancel_task(:id);
select is((select array_agg(r) from queues.release(test.worker(), array[:id]::bigint[], array[1]) as r), array[:id]::bigint[], 'released');
select is(test.outcome(:id), 'cancelled', 'as cancelled');
select * from finish();
rollback;
