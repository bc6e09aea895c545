-- internal.add_job(_job, _token, _secret, _problem, _follows)
-- Inserts a job, its first run, and the secrets that were given by value.  _problem: the job cannot be sent and ends at once; the
-- caller's transaction continues.  _follows: task whose trace the job continues if it runs outside a run; null: none.
create or replace function internal.add_job(_job pgqueue.job, _token text, _secret bytea, _problem text default null,
        _follows bigint default null,
        out job_id bigint, out task_id bigint, out job_uuid uuid)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _type constant text := case when _job.job_type = 'FUNC' then 'job_func' else 'job_http' end;
    _host constant text := case when _job.job_type <> 'FUNC' then internal.job_host(_job.url) end;
    _timeout constant interval := case when _job.job_type = 'FUNC' then _job.timeout end;
    _here constant record := internal.current_run();
    _rule record;
begin
    select t.type_id, q.queue, q.queue_id, (select c.value <> '"off"' from internal.config as c where c.key = 'notify') as notify
    into strict _rule
    from queues.registered_task_type as t join queues.queue as q on q.queue = t.default_queue
    where t.task_type = _type;
    -- Separate statements: one combined statement would take twice as long to start.
    insert into pgqueue.job as j (run_at, job_type, url, payload, headers, job_owner, has_token, has_secret, signing_vault,
        signing_header, signing_style, signing_alg, signing_enc, retry_limit, retry_5xx, timeout, priority,
        parent_job_id, root_job_id, depth, webhook_id)
    values (_job.run_at, _job.job_type, _job.url, _job.payload, _job.headers, _job.job_owner,
        case when _token is not null then true end, case when _secret is not null then true end, _job.signing_vault,
        _job.signing_header, _job.signing_style, _job.signing_alg, _job.signing_enc, _job.retry_limit, _job.retry_5xx,
        _job.timeout, _job.priority, _job.parent_job_id, _job.root_job_id, _job.depth, _job.webhook_id)
    returning j.job_id, j.job_uuid into add_job.job_id, add_job.job_uuid;
    insert into queues.task as t (task_type, payload, enqueued_at, scheduled_at, queue, priority, timeout, origin_task_id)
    values (_type, jsonb_build_object('job_id', add_job.job_id, 'job_run', 1),
        now(), _job.run_at, _rule.queue, coalesce(_job.priority, 0), _timeout, _here.task_id)
    returning t.task_id into add_job.task_id;
    insert into pgqueue.job_run (job_id, job_run, task_id, retry_count) values (add_job.job_id, 1, add_job.task_id, 0);
    if _here.is_traced or _follows is not null or _job.payload ? 'traceparent' or current_setting('reeve.traceparent', true) <> '' then
        perform internal.keep_trace(add_job.task_id, _job.payload, coalesce(_here.task_id, _follows));
    end if;
    if _problem is null then
        insert into queues.ready (queue_id, priority, available_at, task_id, type_id, timeout, destination)
        values (_rule.queue_id, coalesce(_job.priority, 0), _job.run_at, add_job.task_id, _rule.type_id, _timeout, _host);
    end if;
    if _problem is not null then
        insert into queues.task_completed (task_id, completed_at, outcome, status)
        values (add_job.task_id, queues.clock(), 'failed', 'other');
        insert into pgqueue.job_ended (job_id, end_no, ended_at, job_run, retry_count, job_status, response_status, response_content)
        values (add_job.job_id, 1, queues.clock(), 1, 1, 'other', 0, _problem);
        insert into pgqueue.failed_log (job_id, created_at, job_run, response_status, response_content)
        values (add_job.job_id, queues.clock(), 1, 0, _problem);
        return;
    end if;
    if _token is not null or _secret is not null then
        insert into pgqueue.job_secret (job_id, job_jwt, jwt_expires_at, signing_secret)
        values (add_job.job_id, _token, internal.token_expiry(_token), _secret);
    end if;
    perform internal.wake_workers(_rule.queue, _job.run_at, _rule.notify);
end
$$;
comment on function internal.add_job(pgqueue.job, text, bytea, text, bigint) is 'Inserts a job and its first run.';
