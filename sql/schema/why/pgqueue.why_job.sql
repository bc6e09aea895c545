-- internal.explain_job(_job_id), pgqueue.why_job(_job_id)
-- What a job waits for: its newest run, a task, is explained.  An ended job: how it ended.
create or replace function internal.explain_job(_job_id bigint, out answer queues.explanation, out task_id bigint)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _now constant timestamptz := queues.clock();
    _subject constant text := 'job ' || coalesce(_job_id::text, 'null');
    _job pgqueue.job;
    _run pgqueue.job_run;
    _ended pgqueue.job_ended;
    _failed pgqueue.failed_log;
    _words text;
begin
    select j.* into _job from pgqueue.job as j where j.job_id = _job_id;
    select r.* into _run from pgqueue.job_run as r where r.job_id = _job_id order by r.job_run desc limit 1;
    if _job.job_id is null or _run.job_id is null then
        answer := internal.explained(_subject, 'not_found', format('There is no job %s: it never existed, or retention has removed it.', coalesce(_job_id::text, 'null')));
        return;
    end if;
    select f.* into _failed from pgqueue.failed_log as f where f.job_id = _job_id order by f.job_run desc limit 1;
    select e.* into _ended from pgqueue.job_ended as e where e.job_id = _job_id and e.job_run >= _run.job_run order by e.end_no desc limit 1;
    if _ended.job_id is null then
        explain_job.task_id := _run.task_id;
        answer := internal.explained(_subject, 'open', format('Job %s (%s %s) is open%s; its run %s is task %s.', _job_id, _job.job_type, internal.shown_url(_job.url),
            case when _run.retry_count > 0 then format(' after %s failed run(s), the last with %s', _run.retry_count,
                case when coalesce(_failed.response_status, 0) = 0 then 'no answer' else 'answer ' || _failed.response_status end) else '' end, _run.job_run, _run.task_id),
            null, null, null, jsonb_build_object('task_id', _run.task_id, 'job_run', _run.job_run, 'failed_runs', nullif(_run.retry_count, 0), 'last_answer', _failed.response_status));
        return;
    end if;
    _words := case when _ended.response_status is null then 'without a run to its end'
                   when _ended.response_status = 0 then 'with no answer' else 'with answer ' || _ended.response_status end;
    if _ended.job_status <> 'completed' and internal.is_operator() then
        _words := _words || coalesce(': ' || left(nullif(coalesce(_ended.response_content, _failed.response_content), ''), 200), '');
    end if;
    answer := internal.explained(_subject, 'job_ended', format('Job %s (%s %s) ended at %s as %s, after %s failed run(s), %s.', _job_id, _job.job_type,
        internal.shown_url(_job.url), internal.time_words(_ended.ended_at, _now), replace(_ended.job_status::text, '_', ' '), _ended.retry_count, rtrim(_words, '.')),
        _ended.ended_at, null, null, jsonb_build_object('job_status', _ended.job_status, 'response_status', _ended.response_status, 'failed_runs', _ended.retry_count,
            'last_task_id', _run.task_id));
end
$$;
comment on function internal.explain_job(bigint) is 'What a job waits for, or how it ended, and the task of its newest run.';

create or replace function pgqueue.why_job(_job_id bigint) returns queues.explanation
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _job constant record := internal.explain_job(_job_id);
    _answer queues.explanation := _job.answer;
    _task queues.explanation;
begin
    if _job.task_id is not null then
        _task := queues.why(_job.task_id);
        _answer := row(_answer.subject, _task.reason, _answer.sentence || ' ' || _task.sentence, _task.since, _task.until, _task.by_whom,
                       _task.evidence || _answer.evidence)::queues.explanation;
    end if;
    return _answer;
end
$$;
comment on function pgqueue.why_job(bigint) is 'What a job waits for, or how it ended.';
