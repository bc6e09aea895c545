-- queues.fail_task(_task_id, _error_message, _lease_no)
-- Appends an error fact and changes nothing else: the lease runs on.
create or replace function queues.fail_task(_task_id bigint, _error_message text, _lease_no integer default null) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform internal.require_task(_task_id);
    perform internal.note_error(_task_id, coalesce(_lease_no, queues.held_lease(_task_id)), _error_message, null, 'client');
end
$$;
comment on function queues.fail_task(bigint, text, integer) is 'Appends an error fact to a task.';
