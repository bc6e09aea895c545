-- files.kickoff_file_deletion(_file_id, _scheduled_at)
-- Deletes a file, under supervision.  Nothing happens if the file is deleted already, or while a task for it is open; a stuck
-- deletion may be started again.  Two calls wait for each other at the lock of the file's row.
create or replace function files.kickoff_file_deletion(_file_id bigint, _scheduled_at timestamptz default now(),
        out validation_failure_message text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _task bigint;
    _facts record;
begin
    if _file_id is null then
        validation_failure_message := 'missing_file_id';
        return;
    end if;
    perform 1 from files.file as f where f.file_id = _file_id for no key update;
    if not found then
        validation_failure_message := 'file_not_found';
        return;
    end if;
    if files.is_file_deleted(_file_id) then
        return;
    end if;
    for _task in
        select t.file_deletion_task_id from files.file_deletion_task as t
        where t.file_id = _file_id order by t.file_deletion_task_id desc
    loop
        _facts := files.file_deletion_supervisor_facts(_task);
        if not _facts.has_success and _facts.num_failures < 3
           and internal.is_process_live('files.file_deletion_supervisor', 'file_deletion_task_id', _task) then
            return;
        end if;
    end loop;
    insert into files.file_deletion_task (file_id, created_at) values (_file_id, queues.clock())
    returning file_deletion_task_id into _task;
    perform queues.enqueue('db_function', jsonb_build_object('task_type', 'db_function',
        'db_function', 'files.file_deletion_supervisor', 'file_deletion_task_id', _task), _scheduled_at);
end
$$;
comment on function files.kickoff_file_deletion(bigint, timestamptz) is 'Deletes a file under supervision.';
