begin;
select plan(3);
set local client_min_messages = error;
select worker.register_command('act', 'test.act', 'trees');
select worker.enqueue('act', '{"n": 0, "children": [{"n": 1, "top": {"n": 9}}, {"n": 2}]}') as id \gset
call worker.process_tasks();
select is((select array_agg(detail->>'n' order by effect_id) from test.effect), array['0', '1', '2', '9'], 'after the siblings');
select ok((select min(started_at) >= (select completed_at from queues.task_completed where task_id = :id) from queues.task_completed as c join queues.task as t using (task_id) where t.payload->'n' = '9'), 'and after the parent has ended');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
