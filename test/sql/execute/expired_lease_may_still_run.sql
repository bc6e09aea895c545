begin;
select plan(1);
select test.enqueue() as id \gset
select test.lease(:id), test.expire(:id);
select is((select outcome from queues.execute(test.worker(), :id, 1)), 'succeeded', 'nobody took it back');
select * from finish();
rollback;
