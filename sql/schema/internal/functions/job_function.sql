-- internal.job_function(_task_id)
-- Function and parameters of a FUNC job, by its task; nulls for every other task.
create or replace function internal.job_function(_task_id bigint, out function_name text, out payload jsonb)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    select case when j.url like '%.%' then j.url else 'public.' || j.url end, j.payload into function_name, payload
    from queues.task as t join pgqueue.job as j on j.job_id = (t.payload->>'job_id')::bigint
    where t.task_id = _task_id and t.task_type = 'job_func';
end
$$;
comment on function internal.job_function(bigint) is 'What a FUNC job calls.';
