-- internal.cancel_job(_job_id, _is_audited), pgqueue.cancel_job(_job_id)
-- cancelled: the job waited and has ended.  requested: the job runs; it stops if it is not sent yet, and is not retried if it
-- fails.  completed: it had ended already.
create or replace function internal.cancel_job(_job_id bigint, _is_audited boolean) returns text
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _task_id bigint;
begin
    -- The lock of the job keeps its runs from starting another one.
    perform 1 from pgqueue.job as j where j.job_id = _job_id for update;
    select k.task_id into _task_id from pgqueue.job_run as k where k.job_id = _job_id order by k.job_run desc limit 1;
    if not found then
        raise exception using errcode = 'P0002', message = format('job %s does not exist', coalesce(_job_id::text, 'null'));
    end if;
    return internal.cancel_work(_task_id, 'job cancelled', _is_audited);
end
$$;
comment on function internal.cancel_job(bigint, boolean) is 'Cancels a job, on record or as part of a larger act.';

create or replace function pgqueue.cancel_job(_job_id bigint) returns text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return internal.cancel_job(_job_id, true);
end
$$;
comment on function pgqueue.cancel_job(bigint) is 'Cancels a job.';
