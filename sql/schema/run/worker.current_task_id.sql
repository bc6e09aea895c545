-- worker.current_task_id()
-- The command that is being run in this transaction, or null.
create or replace function worker.current_task_id() returns bigint
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
    select r.task_id from internal.current_run() as r
$$;
comment on function worker.current_task_id() is 'The command that runs in this transaction; null outside a run.';
