-- queues.current_attempt()
-- The number of the attempt that runs in this transaction, from 1; null outside a run.
create or replace function queues.current_attempt() returns integer
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
    select coalesce((select a.attempt from queues.task_attempt as a where a.task_id = r.task_id), 1)::integer
    from internal.current_run() as r where r.task_id is not null
$$;
comment on function queues.current_attempt() is 'Number of the attempt that runs in this transaction.';
