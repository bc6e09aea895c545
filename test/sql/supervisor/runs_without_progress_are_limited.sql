begin;
select plan(6);
select test.process(1, 'again') as id \gset
select test.process_id(1) as process \gset
select is(test.run_ticks(:process, 50), 21, 'the first run, and twenty idle ones');
select is((select (reason, run_no)::text from queues.process_ended where process_id = :process), '(run_limit,21)', 'then a dead end');
select is(test.open_ticks(:process), 0::bigint, 'nothing is open');
select is((select count(*) from queues.error as e join queues.task as t using (task_id) where t.process_id = :process and source = 'supervisor'), 1::bigint, 'an error fact says so');
select is((select outcome from queues.task_completed as c join queues.task as t using (task_id) where t.process_id = :process order by task_id desc limit 1), 'cancelled', 'the pending run is cancelled');
select queues.revive_process(:process);
select is(test.run_ticks(:process, 50), 21, 'revived: the count starts again');
select * from finish();
rollback;
