-- worker.enqueue_task_cleanup(p_completed_days, p_failed_days)
-- Enqueues the removal of commands that were completed, or failed, more than the given days ago.
create or replace function worker.enqueue_task_cleanup(p_completed_days integer default 7, p_failed_days integer default 30)
    returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if p_completed_days is null or p_failed_days is null or p_completed_days < 0 or p_failed_days < 0 then
        raise exception using errcode = '22023', message = 'days must not be null or negative';
    end if;
    return worker.enqueue('task_cleanup', jsonb_build_object('completed_days', p_completed_days, 'failed_days', p_failed_days));
end
$$;
comment on function worker.enqueue_task_cleanup(integer, integer) is 'Enqueues the removal of old commands.';
