-- Checklist 1: an account with files is deleted, step by step, in one transaction that is rolled
-- back.  Run with psql after account_deletion.sql, as the owner or a superuser.
\set ON_ERROR_STOP 1
begin;
select queues.set_test_clock('2030-01-01 09:00+00');

-- An account and its files.
insert into accounts.account (email, phone, display_name) values ('ann@example.org', '+15558675310', 'Ann')
returning account_id as account \gset
select set_config('example.account', :'account', true);
insert into accounts.account_file (account_id, file_id)
select :account, (files.create_file('recordings', format('account/%s/%s.m4a', :account, n), 'audio/mp4')).created_file_id
from generate_series(1, 3) as n;

-- A problem is returned as a word.
do $$
begin
    assert api.request_account_deletion(null) = 'missing_account_id';
    assert api.request_account_deletion(999999) = 'account_not_found';
    assert (select count(*) from queues.task) = 0, 'and nothing is written';
end
$$;

-- The request sets the flag at once, and makes one task and one run of the root.
select api.request_account_deletion(:account);
do $$
declare
    _account constant bigint := current_setting('example.account')::bigint;
begin
    assert accounts.has_account_flag(_account, 'deleted'), 'flagged at once';
    assert (select count(*) from accounts.account_deletion_task as t where t.account_id = _account) = 1, 'one task';
    assert (select count(*) from queues.ready) = 1, 'one run';
end
$$;

-- First run of the root: a child for each file.
call worker.process_tasks(p_batch_size => 1);
do $$
begin
    assert (select p.last_status from queues.process_state as p where p.supervisor = 'accounts.account_deletion_supervisor')
           = 'waiting_for_file_deletions';
    assert (select count(*) from files.file_deletion_task) = 3, 'a deletion task for each file';
    assert (select count(*) from queues.process as p
            join queues.process as r on r.process_id = p.parent_process_id
            where p.supervisor = 'files.file_deletion_supervisor' and r.supervisor = 'accounts.account_deletion_supervisor') = 3,
           'as children of the root';
end
$$;

-- A second request while it runs does nothing.
select api.request_account_deletion(:account);
do $$
begin
    assert (select count(*) from accounts.account_deletion_task) = 1, 'still one task';
    assert (select count(*) from files.file_deletion_task) = 3, 'and three deletions';
end
$$;

-- The supervisors of the files make an attempt each; the files service deletes two.
call worker.process_tasks();
do $$
begin
    assert (select count(*) from files.file_deletion_attempt) = 3;
    perform queues.simulate(a.task_id, 'succeeded', '{"delete_status": "deleted"}')
    from (select x.task_id from files.file_deletion_attempt as x order by x.file_deletion_attempt_id limit 2) as a;
    call worker.process_tasks(p_ahead => '10 seconds');
    assert (select p.last_status from queues.process_state as p where p.supervisor = 'accounts.account_deletion_supervisor')
           = 'waiting_for_file_deletions', 'one file is left';
    assert (select (p.last_facts->>'num_undeleted_files')::integer from queues.process_state as p
            where p.supervisor = 'accounts.account_deletion_supervisor') = 1;
    assert not exists (select 1 from accounts.account_anonymization_task), 'personal data stays until the files are gone';
    -- The last one, too.
    perform queues.simulate(a.task_id, 'succeeded', '{"delete_status": "already_gone"}')
    from (select x.task_id from files.file_deletion_attempt as x order by x.file_deletion_attempt_id desc limit 1) as a;
    assert (select count(*) from files.file_deletion_task_succeeded) = 3, 'a success for each file';
    assert (select bool_and(m.value = 'true') and count(*) = 3 from files.file_metadata as m where m.key = 'deleted'), 'all are marked';
    assert (select count(*) from files.account_files(current_setting('example.account')::bigint)) = 0, 'none is left';
end
$$;

-- The next run of the root removes personal data and ends.
call worker.process_tasks(p_ahead => '1 hour');
do $$
declare
    _account constant bigint := current_setting('example.account')::bigint;
begin
    assert (select count(*) from accounts.account_anonymization_task as t where t.account_id = _account) = 1, 'one child';
    assert (select count(*) from accounts.account_anonymization_task_succeeded) = 1, 'that succeeded';
    assert accounts.has_account_flag(_account, 'anonymized');
    assert (select a.email is null and a.phone is null and a.display_name is null from accounts.account as a
            where a.account_id = _account), 'nothing personal is left';
    assert (select count(*) from accounts.account_deletion_task_succeeded) = 1, 'the root has succeeded';
    assert not exists (select 1 from accounts.account_deletion_task_failed);
    assert (select array_agg(distinct p.end_reason) from queues.process_state as p) = '{succeeded}', 'all five processes';
    assert (select count(*) from queues.process) = 5;
    assert (select count(*) from queues.ready) + (select count(*) from queues.running) = 0, 'nothing is open';
    assert (select count(*) from queues.check()) = 0, 'facts and working set agree';
end
$$;

-- Another request does nothing: the account is deleted.
select api.request_account_deletion(:account);
do $$
begin
    assert (select count(*) from accounts.account_deletion_task) = 1;
    assert (select count(*) from queues.ready) = 0;
end
$$;

-- An account without files is deleted the same way, without the wait.
insert into accounts.account (email) values ('bob@example.org') returning account_id as account \gset
select api.request_account_deletion(:account);
call worker.process_tasks(p_ahead => '1 hour');
do $$
begin
    assert (select array_agg(r.status order by r.run_no) from queues.process_run as r
            join queues.process as p on p.process_id = r.process_id and p.supervisor = 'accounts.account_deletion_supervisor'
            where p.process_id = (select max(x.process_id) from queues.process as x
                                  where x.supervisor = 'accounts.account_deletion_supervisor'))
           = '{waiting_for_anonymization,succeeded}';
    assert (select count(*) from accounts.account_deletion_task_succeeded) = 2;
    -- By the account's id the supervisor finds the newest task.
    assert accounts.account_deletion_supervisor(jsonb_build_object('account_id', (select max(a.account_id) from accounts.account as a)))
           ->> 'status' = 'succeeded';
    assert accounts.account_deletion_supervisor('{}') ->> 'status' = 'missing_account_deletion_task_id';
    assert accounts.account_deletion_supervisor('{"account_id": 999999}') ->> 'status' = 'account_deletion_task_not_found';
end
$$;
rollback;
