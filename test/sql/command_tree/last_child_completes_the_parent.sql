begin;
select plan(12);
select worker.enqueue('tree', '{"n": 0, "children": [{"n": 1}, {"n": 2}]}') as id \gset
select is(test.run_command(:id), 'waiting', 'it waits');
select is(test.state(:id), 'waiting', 'and reads so');
select isnt((select process_stop_at from worker.tasks where id = :id), null, 'its handler has stopped');
select is((select completed_at from worker.tasks where id = :id), null, 'but it is not completed');
select is(test.effects('hook_after'), 0::bigint, 'its after hook waits as well');
select test.run_command((test.children(:id))[1]);
select is(test.state(:id), 'waiting', 'one child is not all');
select test.run_command((test.children(:id))[2]);
select is(test.state(:id), 'waiting', 'after the last one its hook is to be run');
select is(test.run_command(:id), 'succeeded', 'under a lease of its own');
select is(test.state(:id), 'completed', 'then it is completed');
select ok((select completed_at >= process_stop_at and completion_duration_ms >= process_duration_ms from worker.tasks where id = :id), 'at that time');
select is(test.effects('hook_after'), 1::bigint, 'and its hook has run once');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
