-- The first holder was frozen; the second one finished; the first one wakes up.
begin;
select plan(5);
select test.enqueue() as id \gset
select test.lease(:id, 'frozen');
select test.expire(:id), test.take_back();
select test.lease(:id, 'second');
select is((select outcome from queues.execute(test.worker('second'), :id, 2)), 'succeeded', 'the second');
select throws_ok(format('select queues.execute(test.worker(%L), %s, 1)', 'frozen', :id), 'QU002', null, 'the first');
select is(test.effects('ok'), 1::bigint, 'one effect');
select is(queues.finish(test.worker('frozen'), :id, 1, 'failed', null, 'timed out'), 'fenced', 'its report is evidence');
select is(test.outcome(:id), 'succeeded', 'one completion');
select * from finish();
rollback;
