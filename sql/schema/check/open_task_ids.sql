-- internal.open_task_ids(_from)
-- Tasks from _from on that have no completion, by one pass over both tables.
-- Called by  internal.check_working_set
create or replace function internal.open_task_ids(_from bigint) returns setof bigint
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set plan_cache_mode = force_custom_plan set jit = off set enable_nestloop = off
as $$
begin
    return query
    select t.task_id from queues.task as t
    where t.task_id >= _from and not exists (select 1 from queues.task_completed as c where c.task_id = t.task_id and c.task_id >= _from);
end
$$;
comment on function internal.open_task_ids(bigint) is 'Tasks without a completion.';
