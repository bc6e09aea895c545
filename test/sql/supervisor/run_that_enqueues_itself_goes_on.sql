begin;
select plan(4);
select test.process(1, 'again') as id \gset
select test.process_id(1) as process \gset
select is(test.run(:id), 'non_success', 'status scheduled');
select is(test.open_ticks(:process), 1::bigint, 'one open run');
select is((select count(*) from queues.process_ended where process_id = :process), 0::bigint, 'no end');
select is((select (enqueued, next_run_at is not null)::text from queues.process_run where process_id = :process), '(0,t)', 'its own next run is not counted');
select * from finish();
rollback;
