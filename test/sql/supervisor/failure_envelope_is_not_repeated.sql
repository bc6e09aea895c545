begin;
select plan(4);
select test.process(1, 'fail') as id \gset
select test.process_id(1) as process \gset
select is(test.run(:id), 'failed', 'the run has failed');
select is(test.last_error(:id), 'no such root', 'an error fact');
select is((select reason from queues.process_ended where process_id = :process), 'error', 'the process has ended');
select is(test.open_ticks(:process), 0::bigint, 'nothing is open');
select * from finish();
rollback;
