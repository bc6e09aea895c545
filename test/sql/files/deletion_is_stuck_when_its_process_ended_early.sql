begin;
select plan(7);
select queues.set_test_clock();
create function pg_temp.stuck_by(_reason text) returns boolean language plpgsql as $$
declare
    _task bigint := test.start_deletion('file of ' || _reason);
begin
    perform internal.drop_supervisor_runs(p.process_id, 'test') from queues.process as p where p.ids = jsonb_build_object('file_deletion_task_id', _task);
    perform internal.close_process_if_done(p.process_id, _reason, null) from queues.process as p where p.ids = jsonb_build_object('file_deletion_task_id', _task);
    return files.is_file_deletion_stuck((select file_id from files.file_deletion_task where file_deletion_task_id = _task));
end $$;
select ok(pg_temp.stuck_by('supervisor_failed'), 'supervisor_failed');
select ok(pg_temp.stuck_by('run_limit'), 'run_limit');
select ok(pg_temp.stuck_by('cancelled'), 'cancelled');
select ok(pg_temp.stuck_by('quarantined'), 'quarantined');
select ok(not pg_temp.stuck_by('already_deleted'), 'but not an end that is in order');
-- A revived process goes on.
select queues.revive_process((select max(e.process_id) from queues.process_ended as e where e.reason = 'cancelled'));
select is((select count(*) from files.file as f where files.is_file_deletion_stuck(f.file_id)), 3::bigint, 'a revived one is not stuck');
-- A success is a success, however its process ended.
insert into files.file_deletion_attempt_succeeded (file_deletion_attempt_id) select file_deletion_attempt_id from files.file_deletion_attempt;
select is((select count(*) from files.file as f where files.is_file_deletion_stuck(f.file_id)), 0::bigint, 'nor one that has succeeded');
select * from finish();
rollback;
