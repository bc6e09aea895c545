begin;
select plan(8);
select test.process(1, 'end') as id \gset
select test.process_id(1) as process \gset
select is(test.run(:id), 'succeeded', 'it runs');
select is((select (run_no, task_id, status, failed, enqueued)::text from queues.process_run where process_id = :process), format('(1,%s,succeeded,f,0)', :id), 'a run fact');
select is((select (run_no, reason)::text from queues.process_ended where process_id = :process), '(1,succeeded)', 'an end fact with its status');
select is((select (state, end_reason, runs)::text from queues.process_state where process_id = :process), '(ended,succeeded,1)', 'the view shows it');
select test.enqueue('test.supervise', '{"id": 1}') as again \gset
select is((select state from queues.process_state where process_id = :process), 'live', 'a later enqueue opens it again');
select is(test.run(:again), 'succeeded', 'it runs');
select is((select count(*) from queues.process_ended where process_id = :process), 2::bigint, 'and ends again');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
