-- worker.report_progress(p_info)
-- Called in a handler: adds to the info of the task.  After the handler has returned, listeners on channel worker_status are
-- notified once, with all reports; the notification arrives at the commit.  So a long command should report from its children.
create or replace function worker.report_progress(p_info jsonb) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    if jsonb_typeof(p_info) is distinct from 'object' then
        raise exception using errcode = '22023', message = 'info must be a JSON object';
    end if;
    if octet_length(p_info::text) > 65536 then
        raise exception using errcode = '54000', message = 'info is over the limit of 65536 bytes';
    end if;
    if worker.current_task_id() is null then
        raise exception using errcode = '55000', message = 'no command is running in this transaction';
    end if;
    perform set_config('reeve.report',
        (coalesce(nullif(current_setting('reeve.report', true), '')::jsonb, '{}') || p_info)::text, true);
end
$$;
comment on function worker.report_progress(jsonb) is 'Adds to the info of the running command, and notifies listeners.';
