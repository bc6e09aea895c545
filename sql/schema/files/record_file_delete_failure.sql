-- files.record_file_delete_failure(_payload)
-- Error handler of file_delete tasks: records the failure, once and not beside a success.  The supervisor runs after the delay of
-- the previous failure.  Locks as files.record_file_delete_success.
create or replace function files.record_file_delete_failure(_payload jsonb) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _attempt constant bigint := files.file_deletion_attempt_of(_payload->'original_payload');
    _now constant timestamptz := queues.clock();
    _task bigint;
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
    insert into files.file_deletion_attempt_failed (file_deletion_attempt_id, error_message, created_at, in_doubt, error_class)
    select _attempt, coalesce(_payload->>'error', 'failed'), _now, coalesce(_payload->'in_doubt' = 'true', false),
           _payload->>'error_class'
    where not exists (select 1 from files.file_deletion_attempt_succeeded as s where s.file_deletion_attempt_id = _attempt)
    on conflict (file_deletion_attempt_id) do nothing;
    perform queues.wake_process('files.file_deletion_supervisor', jsonb_build_object('file_deletion_task_id', _task),
        _now + queues.backoff(10, files.count_file_deletion_failed_attempts(_task) - 1));
    return jsonb_build_object('status', 'succeeded');
end
$$;
comment on function files.record_file_delete_failure(jsonb) is 'Error handler: an attempt to delete a file has failed.';
