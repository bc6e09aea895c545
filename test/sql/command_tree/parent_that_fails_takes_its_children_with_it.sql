begin;
select plan(7);
-- Children of a parent that has not run yet, and then fails; or is quarantined.
select worker.enqueue('act', '{"raise": "P0001"}') as id \gset
select worker.spawn('act', '{"n": 1}', :id) as child, worker.spawn('act', '{"n": 2}', :id) as done \gset
select test.run_command(:done);
select test.run_command(:id);
select is(test.state(:id), 'failed', 'it fails by itself');
select matches(test.error_of(:id), 'act boom', 'with its own error');
select is(array[test.state(:child), test.error_of(:child)], array['failed', 'Parent task failed'], 'its child is cancelled');
select is(test.state(:done), 'completed', 'what had ended stands');
update worker.command_registry set max_crashes = 1 where command = 'act';
select worker.enqueue('act', '{}') as id \gset
select worker.spawn('act', '{}', :id) as child \gset
select test.lease(:id), test.expire(:id), test.take_back();
select is(test.outcome(:id), 'quarantined', 'one that killed its worker');
select is(test.error_of(:child), 'Parent task failed', 'as well');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
