-- Checklist 2: the storage refuses one of many files.  After three attempts the root stops and records
-- it; a new request tries again, and only that file.
\set ON_ERROR_STOP 1
begin;
select queues.set_test_clock('2030-01-01 09:00+00');
insert into accounts.account (email) values ('ann@example.org') returning account_id as account \gset
select set_config('example.account', :'account', true);
insert into accounts.account_file (account_id, file_id)
select :account, (files.create_file('recordings', format('stuck/%s', n))).created_file_id from generate_series(1, 10) as n;
select max(file_id) as bad from accounts.account_file \gset
select set_config('example.bad', :'bad', true);

-- The storage: every open file_delete task gets an answer, and one file is refused.
create function pg_temp.play_storage() returns void language plpgsql as $$
begin
    perform queues.simulate(t.task_id, case when t.payload->>'file_id' = current_setting('example.bad') then 'failed' else 'succeeded' end,
                            '{}', case when t.payload->>'file_id' = current_setting('example.bad') then 'delete returned status 500' end)
    from (select x.task_id, x.payload from queues.ready as r join queues.task as x on x.task_id = r.task_id
          where x.task_type = 'file_delete') as t;
end
$$;

select api.request_account_deletion(:account);
call worker.process_tasks();
select pg_temp.play_storage();
do $$
declare
    _bad constant bigint := current_setting('example.bad')::bigint;
begin
    assert (select count(*) from files.file_deletion_task_failed) = 1, 'one failure';
    assert not files.is_file_deletion_stuck(_bad);
    call worker.process_tasks(p_ahead => '10 seconds');
    perform pg_temp.play_storage();
    assert (select count(*) from files.file_deletion_task_failed) = 2, 'two';
    assert not files.is_file_deletion_stuck(_bad);
    assert not exists (select 1 from accounts.account_deletion_task_failed), 'the root waits';
    call worker.process_tasks(p_ahead => '25 seconds');
    perform pg_temp.play_storage();
    assert (select count(*) from files.file_deletion_task_failed) = 3, 'three';
    assert files.is_file_deletion_stuck(_bad), 'stuck';
end
$$;

-- The root looks, fails and stops.
call worker.process_tasks(p_ahead => '1 hour');
do $$
declare
    _account constant bigint := current_setting('example.account')::bigint;
begin
    assert (select f.error_message from accounts.account_deletion_task_failed as f)
           = 'file deletion stuck: file ' || current_setting('example.bad');
    assert (select p.end_reason from queues.process_state as p where p.supervisor = 'accounts.account_deletion_supervisor')
           = 'file_deletion_stuck', 'the end says why';
    assert (select count(*) from files.account_files(_account)) = 1, 'the other nine files are gone';
    assert accounts.has_account_flag(_account, 'deleted') and not accounts.has_account_flag(_account, 'anonymized');
    assert not exists (select 1 from accounts.account_anonymization_task), 'personal data was not touched';
    assert (select count(*) from queues.ready) + (select count(*) from queues.running) = 0, 'nothing is retried any more';
    assert accounts.account_deletion_supervisor(jsonb_build_object('account_id', _account)) ->> 'status' = 'failed', 'nor by hand';
    assert (select count(*) from queues.check()) = 0;
end
$$;

-- The storage is mended, and a new request is made: a new root, and a new attempt for that one file.
select queues.advance_clock('1 day');
select set_config('example.bad', '', true);
select api.request_account_deletion(:account);
call worker.process_tasks();
do $$
begin
    assert (select count(*) from accounts.account_deletion_task) = 2, 'a new root';
    assert (select count(*) from files.file_deletion_task) = 11, 'one file has a second task';
    assert (select p.last_status from queues.process_state as p where p.state = 'live'
            and p.supervisor = 'accounts.account_deletion_supervisor') = 'waiting_for_file_deletions',
           'a failure that is older than the root does not count';
end
$$;
select pg_temp.play_storage();
call worker.process_tasks(p_ahead => '1 hour');
do $$
begin
    assert (select count(*) from accounts.account_deletion_task_succeeded) = 1, 'the second root has succeeded';
    assert (select count(*) from accounts.account_deletion_task_failed) = 1, 'and the first one''s failure stays on the record';
    assert (select count(*) from queues.ready) + (select count(*) from queues.running) = 0;
end
$$;
rollback;
