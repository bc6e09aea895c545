begin;
select plan(5);
select worker.enqueue('act', '{"mode": "serial", "children": [{"n": 1, "priority": 5}, {"n": 2, "children": [{"n": 21}, {"n": 22}]}, {"n": 3, "raise": "P0001"}, {"n": 4}]}') as id \gset
call worker.process_tasks();
select is((select array_agg(detail->>'n' order by effect_id) from test.effect where detail ? 'n'), array['2', '21', '22', '4', '1'], 'each with its whole subtree before the next');
select is((select count(*) from worker.tasks where parent_id = :id and state = 'completed'), 3::bigint, 'one that failed does not stop the later ones');
select is(test.state(:id), 'failed', 'the parent fails at the end');
select is((select count(*) from queues.task_changed where reason = 'unblock'), 4::bigint, 'each turn is a fact');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
