begin;
select plan(5);
select worker.enqueue('act', '{"children": [{"n": 1}]}') as id \gset
select test.run_command(:id);
select (test.children(:id))[1] as child \gset
update queues.ready set payload = (select payload from queues.task where task_id = :child) || jsonb_build_object('sibling', jsonb_build_object('n', 2), 'parent', :id) where task_id = :child;
select test.run_command(:child);
select is(test.state(:id), 'waiting', 'the parent waits for the sibling that its child spawned');
select worker.spawn('act', '{"n": 3}', :id) as by_anyone \gset
select test.run_command((test.children(:id))[2]);
select is(test.state(:id), 'waiting', 'and for one that somebody else added');
select test.run_command(:by_anyone);
select is(test.state(:id), 'completed', 'then it ends');
select throws_ok(format('select worker.spawn(''act'', ''{}'', %s)', :id), '55000', null, 'and takes no more');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
