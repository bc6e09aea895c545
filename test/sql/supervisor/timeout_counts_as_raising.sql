begin;
select plan(3);
select test.process(1, 'end') as id \gset
select test.process_id(1) as process \gset
select test.lease(:id);
select is(queues.finish(test.worker(), :id, 1, 'failed', null, 'timed out after 3600 s'), 'completed', 'recorded');
select is((select (failed, failures)::text from queues.process_run where process_id = :process), '(t,1)', 'a failed run');
select is(test.open_ticks(:process), 1::bigint, 'the chain goes on');
select * from finish();
rollback;
