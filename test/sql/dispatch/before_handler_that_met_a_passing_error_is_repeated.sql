begin;
select plan(2);
select test.enqueue_email('{"before": "lock"}') as id \gset
select test.lease(:id);
select throws_ok(format('select queues.begin_dispatch(test.worker(), %s, 1)', :id), '55P03', null, 'it passes through');
select is(queues.finish(test.worker(), :id, 1, 'transient'), 'retry', 'again later');
select * from finish();
rollback;
