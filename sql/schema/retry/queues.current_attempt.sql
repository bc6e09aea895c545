-- queues.current_attempt()
-- The number of the attempt that runs in this transaction, from 1; null outside a run.
create or replace function queues.current_attempt() returns integer
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id constant bigint := (internal.current_run()).task_id;
begin
    if _id is null then
        return null;
    end if;
    return coalesce((select a.attempt from queues.task_attempt as a where a.task_id = _id), 1);
end
$$;
comment on function queues.current_attempt() is 'Number of the attempt that runs in this transaction.';
