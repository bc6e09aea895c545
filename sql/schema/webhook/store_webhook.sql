-- internal.store_webhook(...)
-- Second half of pgqueue.create_webhook: checks and writes the row, with the owner's rights.
create or replace function internal.store_webhook(_hook pgqueue.webhook, _jwt text, _signing_secret bytea) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _job constant pgqueue.job := internal.webhook_job(_hook);
    _id bigint;
begin
    perform internal.check_text('name', _hook.name, 256), internal.check_text('condition', _hook.condition, 65536);
    perform internal.check_job(_job);
    perform internal.check_job_secrets(_jwt, _signing_secret);
    perform internal.check_signer(_hook.signing_vault, _hook.url, internal.acting_role());
    if exists (select 1 from pgqueue.webhook as w where w.name = _hook.name) then
        raise exception using errcode = '42710', message = format('webhook "%s" already exists', _hook.name);
    end if;
    insert into pgqueue.webhook (name, table_schema, table_name, events, url, headers, jwt_source, has_secret, signing_vault, signing_header,
        signing_style, signing_alg, signing_enc, columns, changed_only, condition, key_columns, retry_limit, retry_5xx, created_at, created_by)
    values (_hook.name, _hook.table_schema, _hook.table_name, _hook.events, _hook.url, _hook.headers,
        case when _jwt = 'from_session' then 'from_session' when _jwt is not null then 'value' end, _signing_secret is not null,
        _hook.signing_vault, _hook.signing_header, _hook.signing_style, _hook.signing_alg, _hook.signing_enc, _hook.columns,
        _hook.changed_only, _hook.condition, _hook.key_columns, _hook.retry_limit, _hook.retry_5xx, queues.clock(), internal.actor())
    returning webhook_id into _id;
    if (_jwt is not null and _jwt <> 'from_session') or _signing_secret is not null then
        insert into pgqueue.webhook_secret (webhook_id, jwt, signing_secret) values (_id, nullif(_jwt, 'from_session'), _signing_secret);
    end if;
    perform internal.audit('create_webhook', _hook.name, jsonb_build_object('table', _hook.table_schema || '.' || _hook.table_name));
    return _id;
end
$$;
comment on function internal.store_webhook(pgqueue.webhook, text, bytea) is 'Writes a webhook; called by pgqueue.create_webhook.';
