begin;
select plan(3);
select test.enqueue_email() as id \gset
select test.lease(:id), test.expire(:id);
select is((select decision from queues.begin_dispatch(test.worker(), :id, 1)), 'expired', 'expired');
select is(test.effects('before'), 0::bigint, 'nothing ran');
select is((select count(*) from queues.release(test.worker(), array[:id]::bigint[], array[1])), 1::bigint, 'it can be released');
select * from finish();
rollback;
