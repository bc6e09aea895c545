-- internal.was_cancelled(_task_id)
-- Was this task cancelled, or is its cancellation requested?
create or replace function internal.was_cancelled(_task_id bigint) returns boolean
    language sql stable
    set search_path = pg_catalog, pg_temp
as $$
    select coalesce((select true from queues.task_cancel_requested as c where c.task_id = _task_id limit 1),
                    (select c.outcome = 'cancelled' from queues.task_completed as c where c.task_id = _task_id limit 1), false)
$$;
comment on function internal.was_cancelled(bigint) is 'Whether a task was cancelled or its cancellation is requested.';
