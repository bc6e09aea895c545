begin;
select plan(1);
select test.enqueue() as id \gset
select test.lease(:id), queues.expire_lease(:id);
select test.lease(:id), queues.expire_lease(:id);
select test.lease(:id), queues.expire_lease(:id);
select is((select (task_id, lease_no, crash_count)::text from queues.claim(test.worker('two'))), format('(%s,4,3)', :id), 'an operator''s word needs no wait');
select * from finish();
rollback;
