begin;
select plan(15);
set local client_min_messages = error;
create role test_boss; create role test_operator;
grant queues_enqueuer to test_boss; grant queues_operator to test_operator;
select internal.allow_function('test.raises'), internal.allow_function('test.answer', 'task', _enqueuers => '{test_boss}'), internal.allow_function('test.before', 'before'),
       internal.allow_function('test.success', 'success'), internal.allow_function('test.error', 'error'), internal.allow_function('test.supervise', 'supervisor', _process_keys => array['id']);
select worker.register_command('boss', 'test.act', 'default', p_enqueuers => '{test_boss}');
select test.enqueue('test.raises', _priority => 7) as plain, queues.enqueue('db_function', '{"db_function": "test.raises"}', _dedup_key => 'k', _timeout => '5 s') as keyed,
       test.enqueue_email('{}', 'fail') as mail, worker.enqueue('act', '{"raise": "22012"}') as command, test.process(3, 'raise') as run \gset
set local role test_boss;
select queues.enqueue('db_function', '{"db_function": "test.answer", "answer": {"status": "failed", "error": "no"}}') as reserved, worker.enqueue('boss', '{"raise": "22012"}') as boss \gset
reset role;
select test.run(:plain), test.run(:keyed), test.run_command(:command), test.run(:reserved), test.run_command(:boss), test.dispatch(:mail), test.run(:run);
select queues.finish(test.worker(), :mail, 1, 'in_doubt');
select queues.set_retry_policy('function', 'test.raises', 2, '[3600]');
select test.enqueue('test.raises') as chained, queues.enqueue('db_function', '{"db_function": "test.raises"}', _max_attempts => 1) as own \gset
select test.run(:chained), test.run(:own);
select test.job() as job \gset
select test.answer_job(:job, 503);
select task_id as job_task from pgqueue.job_queue where job_id = :job \gset
select act_id as act from queues.preview_bulk('task_retry', _ids => array[:plain, :keyed, :mail, :command, :reserved, :boss, :chained, :own, :job_task, :run]) \gset
set local session authorization test_operator;
select (done, skipped, refused, is_finished)::text as result from queues.run_bulk(:act) \gset
reset session authorization;
select is(:'result'::text, '(6,1,3,t)', 'an operator without further rights');
create function pg_temp.result(_act bigint, _id bigint) returns text language sql as $$ select d.result || coalesce(': ' || d.message, '') from queues.bulk_done as d where d.act_id = _act and d.target_id = _id $$;
select is(pg_temp.result(:act, :reserved), 'refused: role "test_operator" may not enqueue "test.answer"', 'a reserved function stays reserved');
select is(pg_temp.result(:act, :boss), 'refused: role "test_operator" may not enqueue "boss"', 'so does a command');
select alike(pg_temp.result(:act, :chained), 'skipped: task % is retried by its policy already, as task %', 'a policy that goes on is left alone');
select is(pg_temp.result(:act, :job_task), format('refused: task %s is a run of a job', :job_task), 'a job has its own retry');
select is((select (t.priority, t.queue, r.priority)::text from queues.task as t join queues.ready as r on r.task_id = t.task_id where t.retry_of = :plain), '(7,default,7)', 'priority and queue are kept');
select is((select (t.timeout, t.dedup_key, r.timeout)::text from queues.task as t join queues.ready as r on r.task_id = t.task_id where t.retry_of = :keyed), '(00:00:05,,00:00:05)', 'the timeout is kept, and no key is taken');
select ok((select t.idempotency_key = o.task_uuid::text and t.task_uuid <> o.task_uuid and r.destination = '/email' from queues.task as t join queues.task as o on o.task_id = t.retry_of
           join queues.ready as r on r.task_id = t.task_id where o.task_id = :mail), 'what ended in doubt is sent with the same key');
select is((select a.max_attempts || ' ' || a.attempt from queues.task as t join queues.task_attempt as a on a.task_id = t.task_id where t.retry_of = :own), '1 1', 'a policy of its own begins again');
select is((select t.payload->>'command' from queues.task as t where t.retry_of = :command), 'act', 'a command stays one');
select is((select t.is_supervisor_run::text || (t.process_id = o.process_id) from queues.task as t join queues.task as o on o.task_id = t.retry_of where o.task_id = :run), 'truetrue', 'a run of a supervisor belongs to its process');
select throws_ok(format('select queues.retry_task(%s)', :job_task), '0A000', null, 'the single retry has the same rule');
-- A right that somebody has: the same act by another login.
select act_id as act from queues.preview_bulk('task_retry', _ids => array[:reserved, :boss]) \gset
grant queues_operator to test_boss;
set local session authorization test_boss;
select (done, skipped, refused)::text as result from queues.run_bulk(:act) \gset
reset session authorization;
select is(:'result'::text, '(2,0,0)', 'who may enqueue may retry');
-- A type or queue that is gone refuses its own tasks only.
select queues.create_queue('gone');
select test.enqueue('test.raises', _queue => 'gone') as in_gone, test.enqueue('test.raises') as fine \gset
select queues.set_retry_policy('function', 'test.raises', null, null);
select test.run(:in_gone), test.run(:fine), queues.drop_queue('gone');
select act_id as act from queues.preview_bulk('task_retry', _ids => array[:in_gone, :fine]) \gset
select is((select (done, skipped, refused)::text from queues.run_bulk(:act)), '(1,0,1)', 'a queue that is gone refuses its own tasks only');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
