-- files.schedule_file_deletion_attempt(_file_deletion_task_id)
-- Effect: makes one more attempt together with its task; returns the id of the attempt.
create or replace function files.schedule_file_deletion_attempt(_file_deletion_task_id bigint) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id constant bigint := nextval('files.file_deletion_attempt_file_deletion_attempt_id_seq');
    _file bigint;
begin
    select t.file_id into strict _file from files.file_deletion_task as t where t.file_deletion_task_id = _file_deletion_task_id;
    insert into files.file_deletion_attempt (file_deletion_attempt_id, file_deletion_task_id, created_at, task_id)
    overriding system value
    values (_id, _file_deletion_task_id, queues.clock(), queues.enqueue('file_delete', jsonb_build_object(
        'task_type', 'file_delete', 'file_deletion_task_id', _file_deletion_task_id, 'file_deletion_attempt_id', _id,
        'file_id', _file, 'before_handler', 'files.get_file_delete_payload',
        'success_handler', 'files.record_file_delete_success', 'error_handler', 'files.record_file_delete_failure')));
    return _id;
end
$$;
comment on function files.schedule_file_deletion_attempt(bigint) is 'Effect: one more attempt to delete a file.';
