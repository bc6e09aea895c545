begin;
select plan(12);
select queues.set_test_clock('2030-01-01 09:00+00');
select test.process(1, 'raise') as id \gset
select test.process_id(1) as process \gset
select is(test.run_ticks(:process, 50), 10, 'ten runs');
select is((select array_agg(round(extract(epoch from next_run_at - ran_at)::numeric) order by run_no) from queues.process_run where process_id = :process and next_run_at is not null),
          array[5, 10, 20, 40, 80, 160, 320, 600, 600]::numeric[], 'with growing waits');
select is((select count(*) from queues.error as e join queues.task as t using (task_id) where t.process_id = :process and e.source = 'supervisor'), 10::bigint, 'ten error facts');
select is((select count(*) from queues.task_completed as c join queues.task as t using (task_id) where t.process_id = :process and c.outcome = 'failed'), 10::bigint, 'each run is completed as failed');
select is((select (run_no, reason, message)::text from queues.process_ended where process_id = :process), '(10,supervisor_failed,"function test.supervise failed: supervisor boom")', 'then a dead end with the last error');
select is(test.open_ticks(:process), 0::bigint, 'nothing is open');
select is(test.effects('supervise'), 0::bigint, 'no work of a failed run stays');
select throws_ok(format('select queues.revive_process(%s, null)', :process), '22008', null, 'no time');
select queues.revive_process(:process) as revived \gset
select is((select task_id from queues.process_revived where process_id = :process), :revived::bigint, 'revived: a fact');
select is(test.run_ticks(:process, 50), 10, 'the count starts again');
select is((select max(run_no) from queues.process_run where process_id = :process), 20, 'run numbers go on');
select throws_ok('select queues.revive_process(999999)', 'P0002', null, 'unknown process');
select * from finish();
rollback;
