begin;
select plan(6);
select worker.enqueue('act', '{"children": [{"n": 1}, {"n": 2}]}') as id \gset
select test.run_command(:id);
select test.run_command((test.children(:id))[1]);
select queues.cancel_task((test.children(:id))[2]);
select is(array[test.state(:id), test.error_of(:id)], array['failed', 'One or more child tasks failed'], 'the parent has failed');
-- With an after hook, which only a worker may run.
select worker.enqueue('tree', '{"children": [{"n": 1}]}') as id \gset
select test.run_command(:id);
select queues.cancel_task((test.children(:id))[1], 'stop');
select is(array[test.state(:id), test.effects('hook_after')::text], array['waiting', '0'], 'it waits for its hook');
select task_id, mode from queues.claim(test.worker(), _limit => 10) \gset
select is(array[:'task_id', :'mode'], array[:'id', 'execute'], 'a worker takes it');
select outcome from queues.execute(test.worker(), :id, 2);
select is(array[test.state(:id), test.error_of(:id)], array['failed', 'One or more child tasks failed'], 'then it has failed');
select is(test.effects('hook_after'), 1::bigint, 'after its hook');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
