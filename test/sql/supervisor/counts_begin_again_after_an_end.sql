begin;
select plan(2);
select internal.allow_function('test.supervise', 'supervisor', _process_keys => array['id'], _max_idle_runs => 2);
select test.process(1, 'again') as id \gset
select queues.set_test_clock();
call worker.process_tasks(p_ahead => '1 hour');
select is((select end_reason from queues.process_state where process_id = test.process_id(1)), 'run_limit', 'ended by its limit');
select queues.enqueue('db_function', (select t.payload from queues.task as t where t.task_id = :id));
call worker.process_tasks(p_batch_size => 1);
select is((select idle_runs from queues.process_run where process_id = test.process_id(1) order by run_no desc limit 1), 0, 'opened again, it counts from the start');
select * from finish();
rollback;
