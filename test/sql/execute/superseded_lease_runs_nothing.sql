begin;
select plan(6);
select test.enqueue() as id \gset
select test.lease(:id);
select throws_ok(format('select queues.execute(test.worker(), %s, 2)', :id), 'QU002', null, 'a number that was never given');
select throws_ok(format('select queues.execute(test.worker(%L), %s, 1)', 'two', :id), 'QU002', null, 'another worker');
select throws_ok('select queues.execute(test.worker(), 999999999, 1)', 'QU002', null, 'an unknown task');
select test.expire(:id), test.take_back();
select throws_ok(format('select queues.execute(test.worker(), %s, 1)', :id), 'QU002', null, 'taken back');
select test.lease(:id, 'two');
select throws_ok(format('select queues.execute(test.worker(), %s, 1)', :id), 'QU002', null, 'leased again');
select is(test.effects('ok'), 0::bigint, 'nothing ran');
select * from finish();
rollback;
