begin;
select plan(1);
select test.enqueue() as id \gset
select test.lease(:id);
select throws_ok(format('select queues.begin_dispatch(test.worker(), %s, 1)', :id), '22023', null, 'refused');
select * from finish();
rollback;
