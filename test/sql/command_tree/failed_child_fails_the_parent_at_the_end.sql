begin;
select plan(8);
select worker.enqueue('act', '{"children": [{"raise": "P0001"}, {"n": 2}, {"n": 3}]}') as id \gset
select test.run_command(:id);
select test.children(:id) as c \gset
select test.run_command((test.children(:id))[1]);
select is(test.state(:id), 'waiting', 'the others are not interrupted');
select is(worker.has_failed_siblings((test.children(:id))[2]), true, 'they can ask');
select is(worker.has_failed_siblings((test.children(:id))[1]), false, 'the one that failed has no failed sibling');
select is(worker.has_failed_siblings(:id), false, 'nor has the parent');
select test.run_command((test.children(:id))[2]), test.run_command((test.children(:id))[3]);
select is(test.state(:id), 'failed', 'then the parent fails');
select is(test.error_of(:id), 'One or more child tasks failed', 'and says so');
select is(test.state((test.children(:id))[3]), 'completed', 'what the others did stands');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
