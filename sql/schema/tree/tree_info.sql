-- internal.tree_info(_task_id)
-- The info of a waiting parent so far; for operators only.
create or replace function internal.tree_info(_task_id bigint) returns jsonb
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
    select f.info from internal.tree_end(_task_id,
        (select h.info from worker.handler_done as h where h.task_id = _task_id)) as f
    where internal.is_operator()
$$;
comment on function internal.tree_info(bigint) is 'Info of a waiting parent so far.';
