-- files.schedule_file_deletion_recheck(_file_deletion_task_id, _num_failures)
-- Effect: schedules the next run of the supervisor of a deletion, after 10 s, 20 s, 40 s, and later while nothing changes.
create or replace function files.schedule_file_deletion_recheck(_file_deletion_task_id bigint, _num_failures integer) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform queues.enqueue('db_function', jsonb_build_object('task_type', 'db_function',
        'db_function', 'files.file_deletion_supervisor', 'file_deletion_task_id', _file_deletion_task_id),
        queues.clock() + queues.recheck_delay(10, _num_failures));
end
$$;
comment on function files.schedule_file_deletion_recheck(bigint, integer) is 'Effect: schedules the next run of the supervisor of a deletion.';
