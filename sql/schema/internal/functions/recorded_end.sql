-- internal.recorded_end(_task_id)
-- How a task has ended, for the answer to a repeated call.
create or replace function internal.recorded_end(_task_id bigint, out outcome text, out status text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    select c.outcome, coalesce(c.status, c.outcome) into outcome, status from queues.task_completed as c where c.task_id = _task_id;
end
$$;
comment on function internal.recorded_end(bigint) is 'How a task has ended.';
