-- internal.update_job()
-- Carries out an UPDATE or DELETE of pgqueue.job_queue.  run_at moves a waiting job; job_status = 'new' runs a job again from the
-- beginning.  All other changes are refused.  A job that is claimed at the same moment is passed over, so that one job never fails
-- an update of many.
create or replace function internal.update_job() returns trigger
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if tg_op = 'DELETE' then
        raise exception using errcode = '0A000', message = 'jobs are not deleted',
            hint = format('select pgqueue.cancel_job(%s);', old.job_id);
    end if;
    if to_jsonb(new) - array['run_at', 'job_status'] <> to_jsonb(old) - array['run_at', 'job_status']
       or (new.job_status is distinct from old.job_status and new.job_status is distinct from 'new') then
        raise exception using errcode = '0A000', message = 'only run_at, and job_status to new, may be updated',
            hint = format('select pgqueue.cancel_job(%s); and insert another one.', old.job_id);
    end if;
    if new.job_status is distinct from old.job_status then
        if old.job_status = 'processing' then
            raise exception using errcode = '0A000', message = format('job %s is being run', old.job_id),
                hint = format('select pgqueue.cancel_job(%s);', old.job_id);
        end if;
        new.task_id := internal.restart_job(old.job_id, coalesce(nullif(new.run_at, old.run_at), queues.clock()));
        new.retry_count := 0;
    elsif new.run_at is distinct from old.run_at then
        if old.job_status not in ('new', 'failed') then
            raise exception using errcode = '0A000', message = format('job %s does not wait', old.job_id),
                hint = format('select pgqueue.retry_job(%s);', old.job_id);
        end if;
        if not pgqueue.reschedule_job(old.job_id, coalesce(new.run_at, now())) then
            return null; -- The job was started meanwhile: not updated.
        end if;
        new.run_at := coalesce(new.run_at, now());
    end if;
    return new;
end
$$;
comment on function internal.update_job() is 'Carries out an update of pgqueue.job_queue.';
