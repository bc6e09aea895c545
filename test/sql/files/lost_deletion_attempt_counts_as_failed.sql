begin;
select plan(6);
select queues.set_test_clock('2030-01-01 09:00+00');
select test.start_deletion() as id \gset
select test.deletion_task() as first \gset
select queues.cancel_task(:first, 'no reason');
call worker.process_tasks(p_ahead => '10 seconds');
select is((select (error_message, in_doubt)::text from files.file_deletion_attempt_failed), format('("attempt lost: task %s ended as cancelled",f)', :first), 'it is a failure');
select is((select count(*) from files.file_deletion_attempt), 2::bigint, 'and another attempt is made');
select test.deletion_task() as second \gset
select test.dispatch(:second);
select internal.complete_running(r, 'quarantined', 'quarantined', null, null) from queues.running as r where r.task_id = :second;
select is((select num_lost from files.file_deletion_supervisor_facts(:id)), 1, 'the second is lost, too');
select is(files.record_lost_file_deletion_attempts(:id), 1, 'one is recorded');
select is((select (f.error_message, f.in_doubt)::text from files.file_deletion_attempt_failed as f order by f.file_deletion_attempt_id desc limit 1),
          format('("attempt lost: task %s ended as quarantined",t)', :second), 'and may have been carried out');
select is(files.record_lost_file_deletion_attempts(:id), 0, 'once');
select * from finish();
rollback;
