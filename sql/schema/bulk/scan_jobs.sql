-- internal.scan_jobs(_act, _before, _scan)
-- One bounded look at jobs below an id, newest first.  For a retry: jobs that have ended, without an outcome those that failed for
-- good; jobs whose secret was given by value are left out, because the secret is gone.  For a cancel: open jobs.
create or replace function internal.scan_jobs(_act queues.bulk_act, _before bigint, _scan integer,
        out ids bigint[], out scanned bigint, out oldest_id bigint, out oldest_at timestamptz)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
as $$
begin
    with seen as materialized (
        select j.job_id, j.job_type, j.url, j.created_at, j.has_token is true or j.has_secret is true as has_value from pgqueue.job as j
        where j.job_id < _before order by j.job_id desc limit _scan
    ), fitting as (
        select s.job_id from seen as s
        cross join lateral (select x.job_run, x.task_id, x.retry_count from pgqueue.job_run as x where x.job_id = s.job_id order by x.job_run desc limit 1) as r
        left join lateral (select x.job_status::text as status, x.ended_at, x.response_status, x.response_content from pgqueue.job_ended as x
                           where x.job_id = s.job_id and x.job_run >= r.job_run order by x.end_no desc limit 1) as e on true
        where (_act.type is null or s.job_type::text = _act.type) and (_act.url is null or starts_with(s.url, _act.url))
          and case when _act.kind = 'job_retry'
              then not s.has_value and case when _act.outcome is null
                       then e.status in ('server_error', 'too_many', 'other') and e.response_status is not null -- null: a person ended it
                       else e.status = _act.outcome end
              else e.status is null and (_act.state is null or _act.state = case
                  when (select true from queues.running as w where w.task_id = r.task_id limit 1) then 'processing' when r.retry_count > 0 then 'failed' else 'new' end) end
          and (_act.since is null or coalesce(e.ended_at, s.created_at) >= _act.since) and (_act.until is null or coalesce(e.ended_at, s.created_at) < _act.until)
          and (_act.error_like is null or coalesce(e.response_content, (select f.response_content from pgqueue.failed_log as f where f.job_id = s.job_id
                                                                        order by f.job_run desc limit 1)) like _act.error_like)
    )
    select (select array_agg(f.job_id) from fitting as f), (select count(*) from seen), (select min(s.job_id) from seen as s) into ids, scanned, oldest_id;
    select j.created_at into oldest_at from pgqueue.job as j where j.job_id = oldest_id;
end
$$;
comment on function internal.scan_jobs(queues.bulk_act, bigint, integer) is 'A bounded look at jobs, newest first.';
