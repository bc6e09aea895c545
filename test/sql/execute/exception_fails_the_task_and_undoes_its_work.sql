begin;
select plan(5);
select test.enqueue('test.raises') as id \gset
select is(test.run(:id), 'failed', 'failed');
select is(test.effects('raises'), 0::bigint, 'its writes are gone');
select is((select (error_message, sqlstate, source, lease_no)::text from queues.error where task_id = :id), '("function test.raises failed: boom",P0001,function,1)', 'one error fact');
select is(test.place(:id), 'completed', 'no second run');
select is(test.errors(:id), 1::bigint, 'and no second fact');
select * from finish();
rollback;
