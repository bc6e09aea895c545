begin;
select plan(13);
select queues.set_test_clock('2030-01-01 09:00+00');
select test.start_deletion() as id \gset
select file_id as file from files.file \gset
select is((select min(available_at) from queues.ready where is_supervisor_run), '2030-01-01 09:00:10+00', 'the first look comes after 10 s');
select queues.simulate(test.deletion_task(), 'failed', null, 'files service returned status 403');
select ok(not files.is_file_deletion_stuck(:file), 'one failure');
call worker.process_tasks(p_ahead => '10 seconds');
select is((select min(available_at) from queues.ready where is_supervisor_run) - queues.clock(), interval '20 seconds', 'then after 20 s');
select queues.simulate(test.deletion_task(), 'failed', null, 'delete returned status 500');
select ok(not files.is_file_deletion_stuck(:file), 'two failures');
call worker.process_tasks(p_ahead => '20 seconds');
select is((select min(available_at) from queues.ready where is_supervisor_run) - queues.clock(), interval '40 seconds', 'then after 40 s');
select queues.simulate(test.deletion_task(), 'failed', null, 'delete returned status 500');
select ok(files.is_file_deletion_stuck(:file), 'three failures: stuck');
call worker.process_tasks(p_ahead => '1 hour');
select is((select array_agg(status order by run_no) from queues.process_run), array['scheduled', 'scheduled', 'scheduled', 'max_attempts_reached'], 'four runs');
select is((select end_reason from queues.process_state), 'max_attempts_reached', 'and an end');
select is((select array_agg(error_message order by file_deletion_attempt_id) from files.file_deletion_task_failed where file_deletion_task_id = :id),
          array['files service returned status 403', 'delete returned status 500', 'delete returned status 500'], 'each failure is told');
select ok(not files.is_file_deleted(:file), 'the file is not marked');
select is((select count(*) from queues.ready) + (select count(*) from queues.running), 0::bigint, 'nothing is open');
select ok(not files.is_file_deletion_stuck(0) and not files.is_file_deletion_stuck(null), 'no file is not stuck');
select is(files.is_file_deletion_stuck((files.create_file('b', 'other')).created_file_id), false, 'nor one that nobody deletes');
select * from finish();
rollback;
