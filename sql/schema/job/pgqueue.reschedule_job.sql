-- pgqueue.reschedule_job(_job_id, _run_at)
-- Gives another time to a job that waits for its first run or for a retry; false if it does not wait.
create or replace function pgqueue.reschedule_job(_job_id bigint, _run_at timestamptz) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _task_id bigint;
begin
    select k.task_id into _task_id from pgqueue.job_run as k where k.job_id = _job_id order by k.job_run desc limit 1;
    if not found then
        raise exception using errcode = 'P0002', message = format('job %s does not exist', coalesce(_job_id::text, 'null'));
    end if;
    return queues.reschedule_task(_task_id, _run_at);
end
$$;
comment on function pgqueue.reschedule_job(bigint, timestamptz) is 'Moves a waiting job in time.';
