-- queues.current_task_id()
-- The task that is being run in this transaction, or null.
create or replace function queues.current_task_id() returns bigint
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return nullif(current_setting('reeve.task_id', true), '')::bigint;
end
$$;
comment on function queues.current_task_id() is 'The task that runs in this transaction; null outside a run.';
