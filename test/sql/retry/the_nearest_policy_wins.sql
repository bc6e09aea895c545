begin;
select plan(6);
select queues.set_retry_policy('type', 'db_function', 2, '[100]');
select test.enqueue('test.raises') as by_type \gset
select test.run(:by_type);
select is((select (max_attempts, backoff)::text from queues.task join queues.task_attempt using (task_id) where retry_of = :by_type), '(2,[100])', 'of the type');
select queues.set_retry_policy('function', 'test.raises', 5);
select test.enqueue('test.raises') as by_function \gset
select test.run(:by_function);
select is((select (max_attempts, backoff)::text from queues.task join queues.task_attempt using (task_id) where retry_of = :by_function), '(5,[100])', 'of the function, with the waits of the type');
select queues.enqueue('db_function', '{"db_function": "test.raises"}', _backoff => '[7, 8, 9]') as by_task \gset
select test.run(:by_task);
select is((select (max_attempts, backoff)::text from queues.task join queues.task_attempt using (task_id) where retry_of = :by_task), '(4,"[7, 8, 9]")', 'of the task: a list says how many');
select queues.enqueue('db_function', '{"db_function": "test.raises"}', _max_attempts => 1) as once \gset
select test.run(:once);
select is((select count(*) from queues.task where retry_of = :once), 0::bigint, 'a task may ask for one attempt');
select queues.set_retry_policy('function', 'test.raises'), queues.set_retry_policy('type', 'db_function');
select test.enqueue('test.raises') as none \gset
select test.run(:none);
select is((select count(*) from queues.task where retry_of = :none), 0::bigint, 'a policy can be removed');
select is((select count(*) from queues.audit where action = 'set_retry_policy'), 4::bigint, 'and all of this is on record');
select * from finish();
rollback;
