-- pgqueue.replay_failed(_url_prefix, _since)
-- Runs again every job with this URL prefix that has failed for good since a time; returns their number.  Jobs whose secret was
-- given by value are left alone: the secret was removed.
create or replace function pgqueue.replay_failed(_url_prefix text, _since timestamptz) returns integer
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _job record;
    _count integer := 0;
begin
    if _url_prefix is null or _since is null then
        raise exception using errcode = '22004', message = 'url prefix and time must not be null';
    end if;
    for _job in
        select distinct e.job_id from pgqueue.job_ended as e
        join pgqueue.job as j on j.job_id = e.job_id
        where e.job_status in ('server_error', 'too_many', 'other') and e.ended_at >= _since
          and e.response_status is not null -- null: a person ended it
          and starts_with(j.url, _url_prefix) and j.has_token is not true and j.has_secret is not true
          and not exists (select 1 from pgqueue.job_run as k where k.job_id = e.job_id and k.job_run > e.job_run)
        order by e.job_id
    loop
        perform internal.restart_job(_job.job_id, queues.clock());
        _count := _count + 1;
    end loop;
    return _count;
end
$$;
comment on function pgqueue.replay_failed(text, timestamptz) is 'Runs failed jobs of a URL again.';
