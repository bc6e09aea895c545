-- files.has_file_deletion_succeeded_attempt(_file_deletion_task_id)
create or replace function files.has_file_deletion_succeeded_attempt(_file_deletion_task_id bigint) returns boolean
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return exists (select 1 from files.file_deletion_attempt as a
                   join files.file_deletion_attempt_succeeded as s on s.file_deletion_attempt_id = a.file_deletion_attempt_id
                   where a.file_deletion_task_id = _file_deletion_task_id);
end
$$;
comment on function files.has_file_deletion_succeeded_attempt(bigint) is 'Fact: an attempt has deleted the file.';
