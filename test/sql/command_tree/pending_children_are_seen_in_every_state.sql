begin;
select plan(6);
select worker.enqueue('act', '{"children": [{"children": [{"n": 1}]}]}') as id \gset
select is(worker.has_pending_children(:id), false, 'none yet');
select test.run_command(:id);
select (test.children(:id))[1] as child \gset
select is(worker.has_pending_children(:id), true, 'pending');
select test.lease(:child);
select is(worker.has_pending_children(:id), true, 'processing');
select test.expire(:child), test.take_back();
select is(array[test.state(:child), worker.has_pending_children(:id)::text], array['interrupted', 'true'], 'interrupted');
select test.run_command(:child);
select is(array[test.state(:child), worker.has_pending_children(:id)::text], array['waiting', 'true'], 'waiting');
select test.run_command((test.children(:child))[1]);
select is(array[test.state(:child), worker.has_pending_children(:id)::text], array['completed', 'false'], 'all done');
select * from finish();
rollback;
