begin;
select plan(15);
select queues.set_test_clock('2030-01-01 09:00+00');
select test.start_deletion() as id \gset
select file_id as file from files.file \gset
select test.deletion_task() as task \gset
select is((select t.payload from queues.task as t where t.task_id = :task), jsonb_build_object('task_type', 'file_delete', 'file_deletion_task_id', :id::bigint,
    'file_deletion_attempt_id', (select file_deletion_attempt_id from files.file_deletion_attempt), 'file_id', :file::bigint, 'before_handler', 'files.get_file_delete_payload',
    'success_handler', 'files.record_file_delete_success', 'error_handler', 'files.record_file_delete_failure'), 'the task names its ids and handlers');
select is((select (task_type, queue)::text from queues.task where task_id = :task), '(file_delete,files)', 'in the queue of its channel');
select test.lease(:task);
create temp table sent as select * from queues.begin_dispatch(test.worker(), :task, 1);
select is((select decision from sent), 'send', 'it may be carried out');
select is((select request from sent), jsonb_build_object('file_id', :file::bigint, 'bucket', 'b', 'object_key', 'k', 'mime_type', 'audio/mp4'), 'with what the files service needs');
select is(queues.finish(test.worker(), :task, 1, 'succeeded', jsonb_build_object('file_id', :file::bigint, 'delete_status', 'deleted')), 'completed', 'the file is gone');
select is((select created_at from files.file_deletion_attempt_succeeded), '2030-01-01 09:00+00', 'a success fact');
select ok(files.is_file_deleted(:file), 'and the file is marked');
select is(files.record_file_delete_success(jsonb_build_object('original_payload', (select t.payload from queues.task as t where t.task_id = :task))),
          '{"status": "succeeded"}', 'the handler may run again');
select is((select count(*) from files.file_deletion_attempt_succeeded) + (select count(*) from files.file_metadata), 2::bigint, 'and changes nothing');
call worker.process_tasks();
select is(queues.clock(), '2030-01-01 09:00+00', 'the supervisor was woken: no time has passed');
select is((select array_agg(status order by run_no) from queues.process_run), array['scheduled', 'succeeded'], 'two runs');
select is((select facts from queues.process_run where run_no = 2),
          '{"is_deleted": true, "has_success": true, "num_failures": 0, "num_attempts": 1, "num_scheduled": 1, "num_lost": 0}', 'with the facts that they saw');
select is((select count(*) from files.file_deletion_task_succeeded where file_deletion_task_id = :id), 1::bigint, 'the task has succeeded');
select is((select count(*) from queues.ready) + (select count(*) from queues.running), 0::bigint, 'nothing is open');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
