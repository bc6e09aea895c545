-- internal.webhook_job(_hook)
-- What the jobs of a webhook have in common.  Its secrets stay where they are: they are looked
-- up when a job is sent.
create or replace function internal.webhook_job(_hook pgqueue.webhook) returns pgqueue.job
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _job pgqueue.job;
begin
    _job.run_at := now();
    _job.job_type := 'POST';
    _job.url := _hook.url;
    _job.headers := _hook.headers;
    _job.signing_vault := _hook.signing_vault;
    _job.signing_header := _hook.signing_header;
    _job.signing_style := _hook.signing_style;
    _job.signing_alg := _hook.signing_alg;
    _job.signing_enc := _hook.signing_enc;
    _job.retry_limit := _hook.retry_limit;
    _job.retry_5xx := _hook.retry_5xx;
    _job.webhook_id := _hook.webhook_id;
    return _job;
end
$$;
comment on function internal.webhook_job(pgqueue.webhook) is 'What the jobs of a webhook have in common.';
