begin;
select plan(10);
select queues.set_test_clock();
create function pg_temp.tasks(_file bigint) returns bigint language sql as $$ select count(*) from files.file_deletion_task where file_id = _file $$;
create function pg_temp.fail_all() returns void language plpgsql as $$
begin
    for _i in 1 .. 3 loop
        perform queues.simulate(test.deletion_task(), 'failed', null, 'delete returned status 500');
        call worker.process_tasks(p_ahead => '1 hour');
    end loop;
end $$;
select test.start_deletion() as task \gset
select file_id as id from files.file \gset
select is(files.kickoff_file_deletion(:id), null, 'while it goes on');
select is(pg_temp.tasks(:id), 1::bigint, 'a second call does nothing');
select pg_temp.fail_all();
select ok(files.is_file_deletion_stuck(:id), 'it is stuck');
select files.kickoff_file_deletion(:id);
select is(pg_temp.tasks(:id), 2::bigint, 'and may be tried again');
select files.kickoff_file_deletion(:id);
select is(pg_temp.tasks(:id), 2::bigint, 'by one task at a time');
select ok(not files.is_file_deletion_stuck(:id), 'the newest task counts: it is not stuck any more');
-- An operator ends the second; then it may be tried again, too.
call worker.process_tasks();
select queues.end_process(p.process_id, 'enough') from queues.process_state as p where p.state = 'live';
select ok(files.is_file_deletion_stuck(:id), 'a process that was stopped is stuck');
select files.kickoff_file_deletion(:id);
select is(pg_temp.tasks(:id), 3::bigint, 'and may be tried again');
call worker.process_tasks();
select queues.simulate(test.deletion_task());
call worker.process_tasks();
select ok(files.is_file_deleted(:id), 'at last it is deleted');
select files.kickoff_file_deletion(:id);
select is(pg_temp.tasks(:id), 3::bigint, 'and never deleted again');
select * from finish();
rollback;
