begin;
select plan(5);
select worker.enqueue('act', '{"children": [{"priority": 7, "children": [{"n": 1}]}]}') as id \gset
select is(test.run_command(:id), 'waiting', 'the parent waits');
select (test.children(:id))[1] as child \gset
select results_eq(format('select parent_id, depth, priority, state from worker.tasks where id = %s', :child), format('values (%s::bigint, 1, 7::bigint, ''pending'')', :id), 'the child');
select is(test.run_command(:child), 'waiting', 'it waits for its own child');
select is((select depth from worker.tasks where parent_id = :child), 2, 'which is one deeper');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
