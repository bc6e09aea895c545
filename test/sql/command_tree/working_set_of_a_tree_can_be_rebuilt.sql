begin;
select plan(4);
select worker.enqueue('act', '{"mode": "serial", "children": [{"n": 1}, {"n": 2}]}') as serial, worker.enqueue('tree', '{"children": [{"n": 1}]}') as hooked, worker.enqueue('merged', '{"kind": "a", "ids": [1]}') as merged, worker.enqueue('merged', '{"kind": "a", "ids": [2]}') \gset
select test.run_command(:serial), test.run_command(:hooked);
select queues.cancel_task((test.children(:hooked))[1]);
create temp table before as select * from queues.ready;
select is((select array_agg(distinct phase::text order by phase::text) from before), array['b', 'h', 'w', null], 'every phase is there');
delete from queues.ready;
select is(queues.rebuild_working_set(), (select count(*) from before), 'as many rows as were lost');
select results_eq('select * from queues.ready order by task_id', 'select * from before order by task_id', 'the same ones');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
