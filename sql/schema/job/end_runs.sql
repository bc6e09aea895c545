-- internal.end_runs(_worker_id, _task_ids, _lease_nos, _outcomes, _results, _errors, _classes)
-- Records the ends of runs of jobs.  Each job then ends, or runs again later.  All steps are set-based, and no answer can touch
-- another job.  It returns the tasks that were ended.  Tasks of other types, superseded leases and other outcomes are left out.
--
--   2xx                          completed; 201 with jobs in its body: redirected
--   429                          again, when it says
--   4xx with x-job-finished      completed
--   410, of a webhook            other; the webhook is switched off
--   4xx                          again
--   5xx                          server_error; 502, 503, 504 again, if so wanted
--   no answer                    again; status 0, and the reason as content
--   anything else                other
-- A run that would be repeated ends as "other" if the job is to be cancelled.
create or replace function internal.end_runs(_worker_id uuid, _task_ids bigint[], _lease_nos integer[], _outcomes text[],
        _results jsonb[], _errors text[], _classes text[]) returns setof bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
    set plan_cache_mode = force_generic_plan
as $$
declare
    _now constant timestamptz := queues.clock();
    _type_ids constant smallint[] := array(select t.type_id from queues.registered_task_type as t
                                           where t.task_type in ('job_http', 'job_func'));
    _retry_5xx constant boolean := internal.text_setting('pgqueue_retry_5xx') = 'true';
    _jitter constant numeric := internal.number_setting('backoff_jitter');
    _redirected bigint[] := array[]::bigint[];
    _created record;
begin
    if not exists (select 1 from queues.running as r where r.task_id = any(_task_ids) and r.type_id = any(_type_ids)) then
        return;
    end if;
    -- A job that runs again later is locked first, so that a concurrent request to cancel is respected.
    if exists (select 1 from unnest(_outcomes, _results) as w(outcome, result)
               where w.outcome <> 'succeeded' and coalesce(w.result->>'status', '') not like '2__') then
        perform 1 from pgqueue.job as j
        where j.job_id = any(array(select (t.payload->>'job_id')::bigint
                                   from unnest(_task_ids, _outcomes, _results) as w(task_id, outcome, result)
                                   join queues.task as t on t.task_id = w.task_id and t.task_type in ('job_http', 'job_func')
                                   where w.outcome <> 'succeeded' and coalesce(w.result->>'status', '') not like '2__'))
        order by j.job_id for no key update;
    end if;
    -- Jobs that the answers ask for.
    if '201' = any(array(select r->>'status' from unnest(_results) as r)) then
        for _created in
            select f.task_id, f.lease_no, f.created, f.problem from internal.follow_up(_worker_id, _task_ids, _lease_nos, _results) as f
        loop
            if _created.created > 0 then
                _redirected := _redirected || _created.task_id;
            elsif _created.problem is not null then
                perform internal.record_error(_created.task_id, _created.lease_no,
                    'no follow-up job: ' || left(_created.problem, 1024), null, 'engine', 'refused');
            end if;
        end loop;
    end if;
    return query
        with held as materialized (
            select r.*, w.outcome, w.result, w.error, w.class
            from unnest(_task_ids, _lease_nos, _outcomes, _results, _errors, _classes)
                as w(task_id, lease_no, outcome, result, error, class)
            cross join lateral (
                select x.task_id, x.lease_no, x.leased_at, x.queue_id, x.type_id, x.priority, x.timeout, x.destination
                from queues.running as x
                where x.task_id = w.task_id and x.lease_no = w.lease_no and x.type_id = any(_type_ids)
                  and (select h.worker_id from queues.holder as h where h.holder_id = x.holder_id) = _worker_id
                for update) as r
            where w.outcome in ('answered', 'succeeded', 'failed', 'in_doubt')
        ), gone as (
            delete from queues.running as r where r.task_id = any(array(select h.task_id from held as h))
        ), run as (
            select g.task_id, g.lease_no, g.leased_at, g.queue_id, g.type_id, g.priority, g.timeout, g.destination, g.outcome, g.result, g.error, g.class, t.task_type,
                   t.queue, t.payload, k.job_id, k.job_run, k.retry_count, j.webhook_id, j.has_token or j.has_secret as has_secret,
                   coalesce(j.retry_limit, 10) as retry_limit, coalesce(j.retry_5xx, _retry_5xx) as retry_5xx, y.on_in_doubt, c.code
            from held as g
            join queues.task as t on t.task_id = g.task_id
            join pgqueue.job as j on j.job_id = (t.payload->>'job_id')::bigint
            join pgqueue.job_run as k on k.job_id = j.job_id and k.job_run = (t.payload->>'job_run')::integer
            join queues.registered_task_type as y on y.type_id = g.type_id
            cross join lateral (select case when g.outcome = 'answered' then (g.result->>'status')::integer else 0 end) as c(code)
        ), judged as (
            select r.*, v.verdict in ('completed', 'redirected') as is_good,
                   case when v.verdict <> 'again' then v.verdict when r.retry_count >= r.retry_limit then 'too_many'
                        when (select true from queues.task_cancel_requested as q where q.task_id = r.task_id limit 1) then 'other'
                        else 'failed' end as status,
                   case when r.outcome = 'answered' then (r.result->'headers') - 'set-cookie' end as headers,
                   case when r.outcome in ('answered', 'succeeded') then r.result->>'body' else r.error end as content
            from run as r
            cross join lateral (select case
                when r.outcome = 'succeeded' then 'completed'
                when r.class = 'token' or (r.outcome = 'in_doubt' and r.on_in_doubt = 'fail') then 'other'
                when r.code = 0 then 'again'
                when r.task_id = any(_redirected) then 'redirected'
                when r.code between 200 and 299 then 'completed'
                when r.code = 429 then 'again'
                when r.code between 400 and 499 and (r.result->'headers') ? 'x-job-finished' then 'completed'
                when r.code = 410 and r.webhook_id is not null then 'other'
                when r.code between 400 and 499 then 'again'
                when r.code in (502, 503, 504) and r.retry_5xx then 'again'
                when r.code between 500 and 599 then 'server_error'
                else 'other' end) as v(verdict)
        ), completed as (
            insert into queues.task_completed (task_id, completed_at, outcome, status, lease_no, started_at)
            select d.task_id, _now, case when d.is_good then 'succeeded' else 'failed' end, d.status, d.lease_no, d.leased_at
            from judged as d
        ), failed as (
            insert into pgqueue.failed_log (job_id, created_at, job_run, response_status, response_content, response_headers)
            select d.job_id, _now, d.job_run, d.code, d.content, d.headers from judged as d where not d.is_good
        ), error as (
            insert into queues.error (task_id, error_message, created_at, lease_no, source, error_class)
            select d.task_id, left(coalesce(d.error, format('http status %s', d.code)), 8192), _now, d.lease_no,
                   case when d.task_type = 'job_func' then 'function' when d.class in ('payload', 'token') then 'engine'
                        else 'provider' end,
                   case when d.task_type = 'job_func' then 'handler' when d.class = 'token' then 'payload' else d.class end
            from judged as d where not d.is_good
        ), ended as (
            insert into pgqueue.job_ended (job_id, end_no, ended_at, job_run, retry_count, job_status, response_status,
                response_content, response_headers)
            select d.job_id, 1 + coalesce((select max(e.end_no) from pgqueue.job_ended as e where e.job_id = d.job_id), 0),
                   _now, d.job_run, d.retry_count + case when d.is_good then 0 else 1 end, d.status::pgqueue.job_status,
                   case when d.outcome <> 'succeeded' then d.code end, d.content, d.headers
            from judged as d where d.status <> 'failed'
        ), forgotten as (
            delete from pgqueue.job_secret as s using judged as d
            where d.has_secret and d.status <> 'failed' and s.job_id = d.job_id
        ), switched_off as (
            update pgqueue.webhook as w set enabled = false, disabled_reason = 'answered 410: the receiver wants no more'
            from judged as d where d.code = 410 and not d.is_good and w.webhook_id = d.webhook_id
        ), next as (
            insert into queues.task as t (task_type, payload, enqueued_at, scheduled_at, queue, priority, timeout)
            select d.task_type, jsonb_set(d.payload, '{job_run}', to_jsonb(d.job_run + 1)) - 'host', now(),
                   _now + case when d.code = 429 then internal.retry_after(d.headers->>'retry-after', _now)
                               else internal.retry_wait(d.retry_count, _jitter) end,
                   d.queue, d.priority, d.timeout
            from judged as d where d.status = 'failed'
            returning t.task_id, (t.payload->>'job_id')::bigint as job_id, t.scheduled_at
        ), waiting as (
            insert into queues.ready (queue_id, priority, available_at, task_id, type_id, timeout, destination, is_retry)
            -- Retries have their own share of the places of a host.
            select d.queue_id, d.priority, n.scheduled_at, n.task_id, d.type_id, d.timeout, d.destination,
                   case when d.destination is not null then true end
            from next as n join judged as d on d.job_id = n.job_id
        ), traces as (
            insert into queues.task_trace (task_id, traceparent, follows)
            select n.task_id, x.traceparent, x.task_id
            from next as n join judged as d on d.job_id = n.job_id
            cross join lateral (select y.* from queues.task_trace as y where y.task_id = d.task_id offset 0) as x
        ), recorded as (
            insert into pgqueue.job_run (job_id, job_run, task_id, retry_count)
            select d.job_id, d.job_run + 1, n.task_id, d.retry_count + 1
            from next as n join judged as d on d.job_id = n.job_id
        )
        select d.task_id from judged as d;
end
$$;
comment on function internal.end_runs(uuid, bigint[], integer[], text[], jsonb[], text[], text[]) is
    'Records the ends of runs of jobs and what follows.';
