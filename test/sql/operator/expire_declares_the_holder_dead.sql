begin;
select plan(7);
select test.enqueue() as id \gset
select is(queues.expire_lease(:id), false, 'not leased');
select test.lease(:id);
select is(queues.expire_lease(:id), true, 'leased');
select is((select how from queues.task_lease_ended where task_id = :id), 'abandoned', 'a fact');
select is((select crash_count from queues.ready where task_id = :id)::integer, 1, 'it counts as a crash');
select is((select (task_id, lease_no)::text from queues.claim(test.worker('two'))), format('(%s,2)', :id), 'claimable now');
select throws_ok('select queues.expire_lease(999999999)', 'P0002', null, 'unknown task');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
