-- A provider knows a call by its key: once announced it stays, whatever the before handler says the next time.
begin;
select plan(2);
select test.enqueue_email() as id \gset
select test.lease(:id) as lease \gset
select is(internal.record_dispatch(test.worker(), :id, :lease, 'first'), 'first', 'the key of the first announcement');
select test.expire(:id);
select lease_no as lease from queues.claim(test.worker()) \gset
select is(internal.record_dispatch(test.worker(), :id, :lease, 'second'), 'first', 'stays that of the next');
select * from finish();
rollback;
