-- files.count_file_deletion_attempts(_file_deletion_task_id)
create or replace function files.count_file_deletion_attempts(_file_deletion_task_id bigint) returns integer
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return (select count(*)::integer from files.file_deletion_attempt as a where a.file_deletion_task_id = _file_deletion_task_id);
end
$$;
comment on function files.count_file_deletion_attempts(bigint) is 'Fact: how many attempts were made.';
