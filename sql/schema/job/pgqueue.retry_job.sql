-- pgqueue.retry_job(_job_id)
-- Runs a waiting or ended job again, now and from the beginning; returns the task.
create or replace function pgqueue.retry_job(_job_id bigint) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return internal.restart_job(_job_id, queues.clock());
end
$$;
comment on function pgqueue.retry_job(bigint) is 'Runs a job again from the beginning.';
