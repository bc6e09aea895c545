begin;
select plan(7);
select test.enqueue() as id \gset
create temp table got as select * from queues.claim(test.worker());
select is((select (task_id, lease_no, task_type, adapter, queue, priority, mode, timeout, crash_count)::text from got),
          format('(%s,1,db_function,function,default,0,execute,01:00:00,0)', :id), 'the answer');
select is(test.place(:id), 'running', 'the task is in running alone');
select is((select count(*) from queues.task_lease where task_id = :id and lease_no = 1), 1::bigint, 'one lease fact');
select is((select expires_at - leased_at from queues.task_lease where task_id = :id), interval '60 seconds', 'of one minute');
select is((select expires_at from queues.running where task_id = :id), (select expires_at from got), 'the answer says when it ends');
select is((select h.worker_id from queues.running as r join queues.holder as h using (holder_id) where task_id = :id), test.worker(), 'its holder is the worker');
select is((select count(*) from queues.claim(test.worker('two'))), 0::bigint, 'nobody else gets it');
select * from finish();
rollback;
