-- internal.require_task(_task_id)
-- Refuses an id that no task has.
create or replace function internal.require_task(_task_id bigint) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (select 1 from queues.task as t where t.task_id = _task_id) then
        raise exception using errcode = 'P0002', message = format('task %s does not exist', coalesce(_task_id::text, 'null'));
    end if;
end
$$;
comment on function internal.require_task(bigint) is 'Refuses an unknown task.';
