begin;
select plan(4);
select worker.enqueue('act', '{"children": [{"n": 1}]}') as id \gset
select test.run_command(:id);
select (test.children(:id))[1] as child \gset
select test.lease(:child), test.expire(:child), test.take_back();
select is(test.state(:child), 'interrupted', 'its worker died');
select is((select worker_pid from worker.tasks where id = :child), null::integer, 'no backend has it');
select test.run_command(:child);
select is(array[test.state(:child), test.state(:id)], array['completed', 'completed'], 'both are completed');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
