begin;
select plan(6);
select worker.enqueue('hooked', '{"n": 0, "children": [{"n": 1, "children": [{"n": 11}]}, {"n": 2}]}') as id \gset
call worker.process_tasks();
select is((select array_agg(what order by effect_id) from test.effect), array['hook_before', 'act', 'act', 'act', 'act', 'hook_after'], 'hooks, children and grandchildren');
select is(test.state(:id), 'completed', 'to the end');
select worker.enqueue('hooked', '{"before": "P0001"}') as before, worker.enqueue('act', '{"raise": "40001"}') as handler, worker.enqueue('hooked', '{"after": "40001"}') as after \gset
call worker.process_tasks();
select is(array[test.state(:before), test.state(:handler), test.state(:after)], array['failed', 'failed', 'failed'], 'what fails, fails; passing errors after three more tries');
select is((select count(*) from queues.ready) + (select count(*) from queues.running), 0::bigint, 'and nothing is left');
select worker.enqueue('tree', '{"n": 1}'), worker.enqueue('act', '{"n": 2}');
call worker.process_tasks(p_queue => 'trees');
select is((select count(*) from worker.tasks where state = 'pending'), 1::bigint, 'of one queue only');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
