-- internal.notify_end(_task_id)
-- Notifies listeners of the end of a command that had begun.
create or replace function internal.notify_end(_task_id bigint) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform worker.notify_status(c.status_type, false)
    from queues.task as t join worker.command_registry as c on c.command = t.payload->>'command'
    where t.task_id = _task_id and c.status_type is not null;
    perform internal.notify_changed(array[_task_id]);
end
$$;
comment on function internal.notify_end(bigint) is 'Notifies listeners of the end of a command.';
