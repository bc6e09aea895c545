-- internal.job_task_ended(_task_id, _lease_no, _priority, _parent_id, _outcome, _was_running)
-- Hook `ended` of jobs: a run was cancelled or quarantined, and its job ends with it.
create or replace function internal.job_task_ended(_task_id bigint, _lease_no integer, _priority bigint, _parent_id bigint,
        _outcome text, _was_running boolean) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _run pgqueue.job_run;
begin
    if _outcome = 'superseded' then
        return; -- The job was started again from the beginning.
    end if;
    select k.* into _run from queues.task as t
    join pgqueue.job_run as k on k.job_id = (t.payload->>'job_id')::bigint and k.job_run = (t.payload->>'job_run')::integer
    where t.task_id = _task_id;
    insert into pgqueue.job_ended (job_id, end_no, ended_at, job_run, retry_count, job_status)
    select _run.job_id, 1 + coalesce((select max(e.end_no) from pgqueue.job_ended as e where e.job_id = _run.job_id), 0),
           queues.clock(), _run.job_run, _run.retry_count, 'other';
    delete from pgqueue.job_secret as s where s.job_id = _run.job_id;
end
$$;
comment on function internal.job_task_ended(bigint, integer, bigint, bigint, text, boolean) is 'Ends a job whose run was cancelled or quarantined.';
