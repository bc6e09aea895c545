-- files.record_file_delete_success(_payload)
-- Success handler of file_delete tasks: records the success, once, marks the file as deleted, and wakes the supervisor now.  The
-- attempt is locked before its outcomes are read, so it never has both.  A success after a failure is only recorded as an error
-- fact, but the file is marked as deleted.
create or replace function files.record_file_delete_success(_payload jsonb) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _attempt constant bigint := files.file_deletion_attempt_of(_payload->'original_payload');
    _now constant timestamptz := queues.clock();
    _task bigint;
    _file bigint;
begin
    perform internal.require_own_run(_payload);
    if _attempt is null then
        return jsonb_build_object('status', 'missing_file_deletion_attempt_id');
    end if;
    select a.file_deletion_task_id into _task from files.file_deletion_attempt as a
    where a.file_deletion_attempt_id = _attempt for no key update;
    if not found then
        return jsonb_build_object('status', 'attempt_not_found');
    end if;
    insert into files.file_deletion_attempt_succeeded (file_deletion_attempt_id, created_at)
    select _attempt, _now
    where not exists (select 1 from files.file_deletion_attempt_failed as f where f.file_deletion_attempt_id = _attempt)
    on conflict (file_deletion_attempt_id) do nothing;
    if not found then
        perform internal.record_late_success(_attempt)
        from files.file_deletion_attempt_failed as f where f.file_deletion_attempt_id = _attempt;
    end if;
    select t.file_id into _file from files.file_deletion_task as t where t.file_deletion_task_id = _task;
    perform files.mark_file_deleted(_file);
    perform queues.wake_process('files.file_deletion_supervisor', jsonb_build_object('file_deletion_task_id', _task), _now);
    return jsonb_build_object('status', 'succeeded');
end
$$;
comment on function files.record_file_delete_success(jsonb) is 'Success handler: a file is deleted.';
