begin;
select plan(5);
select worker.enqueue('tree', '{"children": [{"n": 1}]}') as id \gset
select test.run_command(:id);
select queues.cancel_task((test.children(:id))[1]);
select worker.spawn('act', '{"n": 2}', :id) as late \gset
select is((select outcome from queues.execute(test.worker(), :id, test.lease(:id))), 'waiting', 'it waits again');
select is(test.state(:id), 'waiting', 'and reads so');
select is(test.violations(), '', 'facts and working set agree');
select test.run_command(:late), test.run_command(:id);
select is(test.state(:id), 'failed', 'until that one has ended');
select is(test.effects('hook_after'), 1::bigint, 'the hook runs once');
select * from finish();
rollback;
