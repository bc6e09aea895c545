begin;
select plan(6);
select worker.enqueue('hooked', '{"children": [{"n": 1}, {"n": 2}], "report": {"own": 1}}') as id, worker.enqueue('merged', '{"kind": "a", "ids": [1]}') as merged, worker.enqueue('merged', '{"kind": "a", "ids": [2]}') \gset
select test.worker();
set local role worker_service_user;
create temp table nothing () on commit drop; -- the role may still do this; it touches no table of ours
call worker.process_tasks(p_scope => 'all');
reset role;
select is(test.state(:id), 'completed', 'a tree with hooks');
select is(test.state(:merged), 'completed', 'a merged one');
select is(test.sqlstate_as('worker_service_user', 'select worker.enqueue(''act'')'), '42501', 'it may not enqueue by itself');
select is(test.sqlstate_as('worker_service_user', 'select * from worker.tasks'), '42501', 'nor look');
select is(test.sqlstate_as('worker_service_user', $$select internal.call_merge('select 1', '{}', '{}')$$), '42501', 'nor fold');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
