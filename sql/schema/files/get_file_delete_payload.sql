-- files.get_file_delete_payload(_payload)
-- Before handler of file_delete tasks: the object to delete.  It needs an attempt of this file: without one the object would be
-- deleted and the success could not be recorded.
create or replace function files.get_file_delete_payload(_payload jsonb) returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _text constant text := _payload->>'file_id';
    _id constant bigint := case when length(_text) between 1 and 18 and translate(_text, '0123456789', '') = ''
                                then nullif(_text::bigint, 0) end;
    _attempt constant bigint := files.file_deletion_attempt_of(_payload);
    _file files.file;
    _wanted bigint;
begin
    perform internal.require_own_run(_payload);
    if _id is null then
        return jsonb_build_object('status', 'missing_file_id');
    end if;
    select f.* into _file from files.file as f where f.file_id = _id;
    if not found then
        return jsonb_build_object('status', 'file_not_found');
    elsif _attempt is null then
        return jsonb_build_object('status', 'missing_file_deletion_attempt_id');
    end if;
    select t.file_id into _wanted
    from files.file_deletion_attempt as a
    join files.file_deletion_task as t on t.file_deletion_task_id = a.file_deletion_task_id
    where a.file_deletion_attempt_id = _attempt;
    if not found then
        return jsonb_build_object('status', 'attempt_not_found');
    elsif _wanted <> _id then
        return jsonb_build_object('status', 'attempt_of_another_file');
    elsif files.is_file_deleted(_id) then
        return jsonb_build_object('status', 'already_done');
    end if;
    return jsonb_build_object('status', 'succeeded', 'payload', jsonb_build_object('file_id', _file.file_id,
        'bucket', _file.bucket, 'object_key', _file.object_key, 'mime_type', _file.mime_type));
end
$$;
comment on function files.get_file_delete_payload(jsonb) is 'Before handler: the object to delete.';
