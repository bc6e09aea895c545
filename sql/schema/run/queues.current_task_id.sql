-- queues.current_task_id()
-- The task that is being run in this transaction, or null.
create or replace function queues.current_task_id() returns bigint
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
    select r.task_id from internal.current_run() as r
$$;
comment on function queues.current_task_id() is 'The task that is being run in this transaction.';
