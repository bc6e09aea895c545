begin;
select plan(5);
select test.enqueue() as id \gset
select is((select lease_no from queues.claim(test.worker())), 1, 'the first lease');
select is((select count(*) from queues.claim(test.worker('two'))), 0::bigint, 'while it lasts nobody else gets it');
select test.expire(:id);
select is((select count(*) from queues.claim(test.worker('two'), _take_back => false)), 0::bigint, 'without take-back neither');
create temp table again as select * from queues.claim(test.worker('two'));
select is((select (task_id, lease_no, crash_count)::text from again), format('(%s,2,1)', :id), 'then it is leased again, at once');
select is((select (lease_no, how)::text from queues.task_lease_ended where task_id = :id), '(1,expired)', 'the end of the first is a fact');
select * from finish();
rollback;
