-- Checklist 3: the removal of personal data fails each time.  After three attempts the root stops and
-- records it; once the cause is mended, a new request succeeds.
\set ON_ERROR_STOP 1
begin;
select queues.set_test_clock('2030-01-01 09:00+00');
insert into accounts.account (email) values ('ann@example.org') returning account_id as account \gset
select set_config('example.account', :'account', true);
create or replace function accounts.anonymize_account(_account_id bigint) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    update accounts.account as a set email = null where a.account_id = _account_id;
    raise exception 'the ledger is locked';
end
$$;

select api.request_account_deletion(:account);
call worker.process_tasks();
do $$
declare
    _account constant bigint := current_setting('example.account')::bigint;
begin
    assert (select p.last_status from queues.process_state as p where p.supervisor = 'accounts.account_deletion_supervisor')
           = 'waiting_for_anonymization';
    assert (select array_agg(f.error_message) from accounts.account_anonymization_task_failed as f)
           = '{function accounts.do_anonymization failed: the ledger is locked}', 'one failure, in its own words';
    assert not accounts.is_account_anonymization_stuck(_account);
    call worker.process_tasks(p_ahead => '10 seconds');
    assert (select count(*) from accounts.account_anonymization_task_failed) = 2, 'two';
    assert not accounts.is_account_anonymization_stuck(_account);
    call worker.process_tasks(p_ahead => '20 seconds');
    assert (select count(*) from accounts.account_anonymization_task_failed) = 3, 'three';
    assert accounts.is_account_anonymization_stuck(_account), 'stuck';
    assert (select a.email from accounts.account as a where a.account_id = _account) = 'ann@example.org',
           'what a failed attempt did is undone';
end
$$;
call worker.process_tasks(p_ahead => '1 hour');
do $$
declare
    _account constant bigint := current_setting('example.account')::bigint;
begin
    assert (select f.error_message from accounts.account_deletion_task_failed as f)
           = 'account anonymization stuck: account ' || _account;
    assert (select p.end_reason from queues.process_state as p where p.supervisor = 'accounts.account_deletion_supervisor')
           = 'account_anonymization_stuck';
    assert (select p.end_reason from queues.process_state as p where p.supervisor = 'accounts.account_anonymization_supervisor')
           = 'max_attempts_reached';
    assert (select array_agg(a.created_at order by a.account_anonymization_attempt_id) from accounts.account_anonymization_attempt as a)
           = array['2030-01-01 09:00:00+00', '2030-01-01 09:00:10+00', '2030-01-01 09:00:30+00']::timestamptz[], '10 s and 20 s apart';
    assert accounts.has_account_flag(_account, 'deleted') and not accounts.has_account_flag(_account, 'anonymized');
    assert (select count(*) from queues.ready) + (select count(*) from queues.running) = 0, 'nothing is retried any more';
    assert (select count(*) from queues.check()) = 0;
end
$$;

-- The cause is mended, and a new request is made.
select queues.advance_clock('1 day');
create or replace function accounts.anonymize_account(_account_id bigint) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
    update accounts.account as a set email = null, phone = null, display_name = null where a.account_id = _account_id;
    perform accounts.set_account_flag(_account_id, 'anonymized');
end
$$;
select api.request_account_deletion(:account);
call worker.process_tasks(p_ahead => '1 hour');
do $$
begin
    assert (select count(*) from accounts.account_deletion_task_succeeded) = 1, 'the second root has succeeded';
    assert (select count(*) from accounts.account_anonymization_task) = 2, 'with a child of its own';
    assert (select count(*) from accounts.account_deletion_task_failed) = 1, 'and the first one''s failure stays on the record';
end
$$;

-- An attempt whose task was cancelled has no outcome: its supervisor counts it as failed and goes on.
insert into accounts.account (email) values ('bob@example.org') returning account_id as account \gset
select api.request_account_deletion(:account);
call worker.process_tasks(p_batch_size => 2);
do $$
declare
    _task bigint := (select max(a.task_id) from accounts.account_anonymization_attempt as a);
begin
    assert queues.cancel_task(_task, 'by mistake') = 'cancelled';
    call worker.process_tasks(p_ahead => '1 hour');
    assert (select f.error_message from accounts.account_anonymization_task_failed as f
            order by f.account_anonymization_attempt_id desc limit 1) = format('attempt lost: task %s ended as cancelled', _task);
    assert (select count(*) from accounts.account_deletion_task_succeeded) = 2, 'and the account is deleted all the same';
end
$$;
rollback;
