-- files.is_file_deletion_stuck(_file_id)
-- Is the deletion of the file stuck until a person acts?  It is if the newest task has no success, and three failures or a process
-- that ended early.
create or replace function files.is_file_deletion_stuck(_file_id bigint) returns boolean
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _task constant bigint := (select max(t.file_deletion_task_id) from files.file_deletion_task as t where t.file_id = _file_id);
    _facts record;
begin
    if _task is null then
        return false;
    end if;
    _facts := files.file_deletion_supervisor_facts(_task);
    return not _facts.has_success
        and (_facts.num_failures >= 3 or internal.is_dead_end('files.file_deletion_supervisor', 'file_deletion_task_id', _task));
end
$$;
comment on function files.is_file_deletion_stuck(bigint) is 'Fact: the deletion of the file is stuck until a person acts.';
