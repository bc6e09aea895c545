begin;
select plan(5);
select queues.set_test_clock();
select test.start_deletion();
select test.deletion_task() as task \gset
select files.mark_file_deleted(file_id) from files.file;
select is(queues.simulate(:task), 'completed', 'the task ends');
select is(test.outcome(:task), 'succeeded', 'well');
select is((select count(*) from queues.task_dispatched), 0::bigint, 'without a call');
call worker.process_tasks();
select is((select count(*) from files.file_deletion_attempt_succeeded), 1::bigint, 'the attempt has succeeded');
select is((select end_reason from queues.process_state), 'succeeded', 'and so has the process');
select * from finish();
rollback;
