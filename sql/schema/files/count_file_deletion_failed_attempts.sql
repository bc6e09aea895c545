-- files.count_file_deletion_failed_attempts(_file_deletion_task_id)
create or replace function files.count_file_deletion_failed_attempts(_file_deletion_task_id bigint) returns integer
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return (select count(*)::integer from files.file_deletion_attempt as a
        join files.file_deletion_attempt_failed as f on f.file_deletion_attempt_id = a.file_deletion_attempt_id
        where a.file_deletion_task_id = _file_deletion_task_id);
end
$$;
comment on function files.count_file_deletion_failed_attempts(bigint) is 'Fact: how many attempts have failed.';
