-- worker.has_pending_children(p_task_id)
-- Is a child of this task not completed: pending, processing, waiting or interrupted?
create or replace function worker.has_pending_children(p_task_id bigint) returns boolean
    language sql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
    select internal.has_open_children(p_task_id)
$$;
comment on function worker.has_pending_children(bigint) is 'Whether a task has children that are not completed.';
