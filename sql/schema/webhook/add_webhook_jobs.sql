-- internal.add_webhook_jobs(_job, _token, _secret, _problem, _payloads)
-- One job for each payload, all alike, in sets.  _problem: they end at once.
create or replace function internal.add_webhook_jobs(_job pgqueue.job, _token text, _secret bytea, _problem text, _payloads jsonb[])
    returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _host constant text := internal.job_host(_job.url);
    _here constant record := internal.current_run();
    _trace record;
    _rule record;
begin
    if _problem is not null or _token is not null or _secret is not null or cardinality(_payloads) = 1 then
        for _i in 1 .. cardinality(_payloads) loop
            continue when _payloads[_i] is null;
            _job.payload := _payloads[_i];
            perform internal.add_job(_job, _token, _secret, _problem);
        end loop;
        return;
    end if;
    select t.type_id, q.queue, q.queue_id, (select c.value <> '"off"' from internal.config as c where c.key = 'notify') as notify
    into strict _rule
    from queues.registered_task_type as t join queues.queue as q on q.queue = t.default_queue
    where t.task_type = 'job_http';
    _trace := internal.trace_for(null, _here.task_id);
    with job as (
        insert into pgqueue.job as j (run_at, job_type, url, payload, headers, signing_vault, signing_header, signing_style,
            signing_alg, signing_enc, retry_limit, retry_5xx, webhook_id)
        select _job.run_at, _job.job_type, _job.url, p.payload, _job.headers, _job.signing_vault, _job.signing_header,
            _job.signing_style, _job.signing_alg, _job.signing_enc, _job.retry_limit, _job.retry_5xx, _job.webhook_id
        from unnest(_payloads) with ordinality as p(payload, n) where p.payload is not null order by p.n
        returning j.job_id
    ), task as (
        insert into queues.task as t (task_type, payload, enqueued_at, scheduled_at, queue, origin_task_id)
        select 'job_http', jsonb_build_object('job_id', j.job_id, 'job_run', 1), now(), _job.run_at, _rule.queue,
               _here.task_id
        from job as j
        returning t.task_id, (t.payload->>'job_id')::bigint as job_id
    ), traces as (
        insert into queues.task_trace (task_id, traceparent, follows)
        select t.task_id, _trace.traceparent, _trace.follows from task as t where _trace.traceparent is not null
    ), run as (
        insert into pgqueue.job_run (job_id, job_run, task_id, retry_count) select t.job_id, 1, t.task_id, 0 from task as t
    )
    insert into queues.ready (queue_id, priority, available_at, task_id, type_id, destination)
    select _rule.queue_id, 0, _job.run_at, t.task_id, _rule.type_id, _host from task as t;
    perform internal.wake_workers(_rule.queue, _job.run_at, _rule.notify);
end
$$;
comment on function internal.add_webhook_jobs(pgqueue.job, text, bytea, text, jsonb[]) is 'Makes the jobs of changed rows.';
