-- internal.insert_job()
-- Carries out an INSERT into pgqueue.job_queue.  An explicit null means the default.
create or replace function internal.insert_job() returns trigger
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _job pgqueue.job;
    _token text := nullif(new.job_jwt, '');
    _secret constant bytea := new.signing_secret;
    _added record;
begin
    if new.job_id is not null or new.job_status <> 'new' or new.created_at is not null or new.last_at is not null
       or new.retry_count <> 0 or new.response_status is not null or new.response_content is not null
       or new.response_headers is not null or new.job_uuid is not null or new.parent_job_id is not null
       or new.root_job_id is not null or new.depth <> 0 or new.webhook_id is not null or new.task_id is not null then
        raise exception using errcode = '0A000', message = 'a column that the queue itself fills in was given',
            detail = 'These are job_id, job_status, created_at, last_at, retry_count, response_*, job_uuid, parent_job_id, '
                     'root_job_id, depth, webhook_id and task_id.',
            hint = 'Leave them out.';
    end if;
    _job.run_at := coalesce(new.run_at, now());
    _job.job_type := coalesce(new.job_type, 'POST');
    _job.url := new.url;
    _job.payload := new.payload;
    _job.headers := new.headers;
    _job.job_owner := new.job_owner;
    _job.signing_vault := nullif(new.signing_vault, '');
    _job.signing_header := new.signing_header;
    _job.signing_style := new.signing_style;
    _job.signing_alg := new.signing_alg;
    _job.signing_enc := new.signing_enc;
    if new.retry_limit not between 0 and 100 then
        raise exception using errcode = '22023', message = format('retry_limit %s is not between 0 and 100', new.retry_limit);
    end if;
    _job.retry_limit := new.retry_limit;
    _job.retry_5xx := new.retry_5xx;
    _job.timeout := new.timeout;
    _job.priority := new.priority;
    perform internal.check_job(_job);
    if _token is not null or _secret is not null then
        perform internal.check_job_secrets(_token, _secret);
    end if;
    if _job.signing_vault is not null then
        perform internal.check_signer(_job.signing_vault, _job.url, internal.acting_role());
    end if;
    if _token = 'from_session' then
        _token := internal.session_token();
        if _token is null then
            raise exception using errcode = '22023', message = 'authorization header not found in the request',
                hint = 'job_jwt = ''from_session'' needs the request.headers of PostgREST.';
        end if;
        perform internal.check_job_secrets(_token, null);
    end if;
    _added := internal.add_job(_job, _token, _secret);
    new.job_id := _added.job_id;
    new.task_id := _added.task_id;
    new.job_uuid := _added.job_uuid;
    new.run_at := _job.run_at;
    new.job_type := _job.job_type;
    new.job_jwt := case when _token is not null then '[set]' end;
    new.signing_secret := null;
    new.signing_header := coalesce(_job.signing_header, 'X-HMAC-Signature');
    new.signing_style := coalesce(_job.signing_style, 'HMAC');
    new.signing_alg := coalesce(_job.signing_alg, 'sha256');
    new.signing_enc := coalesce(_job.signing_enc, 'hex');
    new.retry_limit := coalesce(_job.retry_limit, 10);
    new.job_status := 'new';
    new.created_at := now();
    new.retry_count := 0;
    new.depth := 0;
    return new;
end
$$;
comment on function internal.insert_job() is 'Carries out an insert into pgqueue.job_queue.';
