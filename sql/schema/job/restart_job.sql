-- internal.restart_job(_job_id, _at, _is_audited)
-- Runs a job again from the beginning, if it waits or has ended; returns the new task.  _is_audited: it is an act of its own.
create or replace function internal.restart_job(_job_id bigint, _at timestamptz, _is_audited boolean default true) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _job pgqueue.job;
    _run pgqueue.job_run;
    _task queues.task;
    _row queues.ready;
    _rule internal.task_rule;
    _host text;
    _id bigint;
begin
    if not isfinite(_at) then
        raise exception using errcode = '22008', message = 'run_at must be a finite time';
    end if;
    select j.* into _job from pgqueue.job as j where j.job_id = _job_id for update; -- one restart at a time, and no retry meanwhile
    if not found then
        raise exception using errcode = 'P0002', message = format('job %s does not exist', coalesce(_job_id::text, 'null'));
    end if;
    select k.* into strict _run from pgqueue.job_run as k where k.job_id = _job_id order by k.job_run desc limit 1;
    select t.* into strict _task from queues.task as t where t.task_id = _run.task_id;
    if (_job.has_token or _job.has_secret) and not exists (select 1 from pgqueue.job_secret as s where s.job_id = _job_id) then
        raise exception using errcode = '55000', message = format('the secret of job %s was given by value and is gone', _job_id),
            hint = 'Insert the job again.';
    end if;
    if not exists (select 1 from queues.task_completed as c where c.task_id = _run.task_id) then
        _row := internal.lock_ready(_run.task_id);
        if _row.task_id is null or not internal.drop_ready(_row, 'superseded', 'started again') then
            raise exception using errcode = '55000', message = format('job %s is being run', _job_id);
        end if;
    end if;
    _rule := internal.enqueue_rule(_task.task_type, null);
    _host := case when _task.task_type = 'job_http' then internal.job_host(_job.url) end;
    insert into queues.task (task_type, payload, enqueued_at, scheduled_at, queue, priority, timeout, retry_of)
    values (_task.task_type, _task.payload - 'host' || jsonb_build_object('job_run', _run.job_run + 1), now(), _at, _rule.queue,
            _task.priority, _task.timeout, _run.task_id)
    returning task_id into _id;
    insert into queues.ready (queue_id, priority, available_at, task_id, type_id, timeout, destination)
    values (_rule.queue_id, _task.priority, _at, _id, _rule.type_id, _task.timeout, _host);
    insert into pgqueue.job_run (job_id, job_run, task_id, retry_count) values (_job_id, _run.job_run + 1, _id, 0);
    perform internal.keep_trace(_id, null, null, _run.task_id);
    if _is_audited then
        perform internal.audit('retry_job', _job_id::text, jsonb_build_object('task_id', _id));
    end if;
    perform internal.wake_workers(_rule.queue, _at, _rule.notify);
    return _id;
end
$$;
comment on function internal.restart_job(bigint, timestamptz, boolean) is 'Runs a job again from the beginning.';
