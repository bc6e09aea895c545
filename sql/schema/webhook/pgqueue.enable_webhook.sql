-- pgqueue.enable_webhook(_name, _enabled), pgqueue.test_webhook(_name)
-- Switches a webhook off or on again; sends a body of type TEST, and returns the job.
-- Rows that are changed while it is off are not recorded.  What was changed before is delivered: the rows of large
-- statements of which no jobs had been made wait until it is on again.
create or replace function pgqueue.enable_webhook(_name text, _enabled boolean) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id bigint;
begin
    if _enabled is null then
        raise exception using errcode = '22004', message = 'enabled must not be null';
    end if;
    update pgqueue.webhook as w
    set enabled = _enabled, disabled_reason = case when not _enabled then 'paused by ' || internal.actor() end
    where w.name = _name
    returning w.webhook_id into _id;
    if not found then
        raise exception using errcode = 'P0002', message = format('webhook "%s" does not exist', coalesce(left(_name, 128), 'null'));
    end if;
    if _enabled then
        perform internal.ask_for_jobs(array(select c.change_id from pgqueue.webhook_change as c where c.webhook_id = _id order by c.change_id));
    end if;
    perform internal.audit('enable_webhook', _name, to_jsonb(_enabled));
end
$$;
comment on function pgqueue.enable_webhook(text, boolean) is 'Switches a webhook on or off.';

create or replace function pgqueue.test_webhook(_name text) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _hook pgqueue.webhook;
    _job pgqueue.job;
    _token text;
    _problem text;
begin
    select w.* into _hook from pgqueue.webhook as w where w.name = _name;
    if not found then
        raise exception using errcode = 'P0002', message = format('webhook "%s" does not exist', coalesce(left(_name, 128), 'null'));
    end if;
    _job := internal.webhook_job(_hook);
    _job.payload := jsonb_build_object('type', 'TEST', 'table', _hook.table_name, 'schema', _hook.table_schema, 'record', null, 'old_record', null);
    if _hook.jwt_source = 'from_session' then
        _token := internal.session_token();
        _problem := case when _token is null then 'authorization header not found in the request' end;
    end if;
    return (internal.add_job(_job, _token, null, _problem)).job_id;
end
$$;
comment on function pgqueue.test_webhook(text) is 'Sends a test to the URL of a webhook.';
