-- pgqueue.make_webhook_jobs(_payload)
-- Task function: makes the jobs of a large statement, of which its transaction only kept the rows.  While the webhook is
-- paused the rows stay; pgqueue.enable_webhook asks again.
create or replace function pgqueue.make_webhook_jobs(_payload jsonb) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set timezone = 'UTC' -- so that the one set below ends with this function
as $$
declare
    _change pgqueue.webhook_change;
    _hook pgqueue.webhook;
    _asked record;
    _job pgqueue.job;
    _secret bytea;
    _payloads jsonb[];
    _relid oid;
begin
    perform internal.require_own_run(_payload);
    select c.* into _change from pgqueue.webhook_change as c where c.change_id = (_payload->>'change_id')::bigint for update;
    if not found then
        return '{"status": "succeeded"}'::jsonb;
    end if;
    if _change.webhook_id is not null then
        select w.* into _hook from pgqueue.webhook as w where w.webhook_id = _change.webhook_id;
        if not found then -- dropped meanwhile
            perform internal.forget_change(_change.change_id);
            return '{"status": "succeeded"}'::jsonb;
        elsif not _hook.enabled then
            return '{"status": "paused"}'::jsonb;
        end if;
        _job := internal.webhook_job(_hook);
    else
        _asked := internal.webhook_arguments(_change.arguments);
        _job := _asked.job;
        _secret := _asked.secret;
        _change.token := coalesce(_change.token, nullif(_asked.token, 'from_session'));
    end if;
    -- By the catalog: the owner need not have USAGE on the schema of the table.
    _relid := (select c.oid from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
               where n.nspname = _change.table_schema and c.relname = _change.table_name);
    perform set_config('TimeZone', _change.time_zone, true);
    select array_agg(internal.webhook_payload(_change.event, _change.table_schema, _change.table_name, r.old_record, r.new_record,
                                              _hook.columns, coalesce(_hook.changed_only, false), _hook.key_columns,
                                              _relid) order by r.row_no)
    into _payloads
    from internal.kept_rows(_change.change_id) as r;
    perform internal.forget_change(_change.change_id);
    perform internal.add_webhook_jobs(_job, _change.token, _secret, _change.problem, _payloads);
    return '{"status": "succeeded"}'::jsonb;
end
$$;
comment on function pgqueue.make_webhook_jobs(jsonb) is 'Makes the jobs of a large statement.';
