begin;
select plan(9);
select worker.enqueue('act', '{"children": [{"n": 1}, {"children": [{"n": 21}]}, {"n": 3}, {"n": 4}]}') as id \gset
select test.run_command(:id);
select (test.children(:id))[1] as pending, (test.children(:id))[2] as waiting, (test.children(:id))[3] as interrupted, (test.children(:id))[4] as leased \gset
select test.run_command(:waiting), test.lease(:interrupted), test.expire(:interrupted), test.take_back();
select test.lease(:leased) as lease \gset
select is(queues.cancel_task(:id, 'not wanted'), 'cancelled', 'the parent');
select is(array[test.state(:id), test.error_of(:id)], array['failed', 'not wanted'], 'fails with the reason');
select is(array[test.state(:pending), test.error_of(:pending)], array['failed', 'Parent task failed'], 'a pending child');
select is(array[test.state(:waiting), test.error_of(:waiting)], array['failed', 'Parent task failed'], 'a waiting one');
select is(test.error_of((test.children(:waiting))[1]), 'Parent task failed', 'with what is below it');
select is(array[test.state(:interrupted), test.error_of(:interrupted)], array['failed', 'Parent task failed'], 'an interrupted one');
select is(test.state(:leased), 'processing', 'a leased one is not taken away');
select outcome from queues.execute(test.worker(), :leased, :lease) \gset
select is(:'outcome'::text, 'cancelled', 'it is asked to stop before it starts');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
