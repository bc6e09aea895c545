begin;
select plan(6);
select queues.set_retry_policy('command', 'act', 3, '[10]');
select worker.enqueue('tree', '{"raise": "P0001"}') as id \gset
select worker.spawn('act', '{"raise": "P0001"}', :id) as runs \gset
select worker.spawn('act', '{"raise": "P0001"}', :id) as waits \gset
select worker.spawn('act', '{"raise": "P0001"}', :id) as again \gset
select test.run_command(:again);
select test.lease(:runs);
select test.run_command(:id);
select is(test.state(:id), 'failed', 'a parent fails');
select is((select outcome from queues.task_completed where task_id = :waits), 'cancelled', 'a child that waits is cancelled');
select is((select outcome from queues.task_completed where task_id = internal.last_attempt(:again)), 'cancelled', 'a next attempt that waits is cancelled');
select is((select outcome from queues.execute(test.worker(), :runs, 1)), 'failed', 'a child that runs ends');
select is(internal.last_attempt(:runs), :runs, 'and is not tried again');
select is(test.violations(), '', 'the facts agree');
select * from finish();
rollback;
