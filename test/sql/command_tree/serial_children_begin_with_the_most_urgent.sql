begin;
select plan(3);
select worker.enqueue('act', '{"mode": "serial", "children": [{"n": 1, "priority": 5}, {"n": 2}, {"n": 3}]}') as id \gset
select test.run_command(:id);
select is((select count(*) from queues.ready where parent_id = :id and phase = 'b'), 2::bigint, 'all but one are blocked');
select is((select array_agg(t.payload->'n') from queues.claim(test.worker(), _limit => 10) as c join queues.task as t using (task_id)), array['2']::jsonb[], 'by priority, then id');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
