-- internal.fire_webhook()
-- Trigger function of webhooks made by pgqueue.create_webhook; its argument is the webhook's id.
-- As pgqueue.trigger_webhook, which says what the user's transaction gets.
create or replace function internal.fire_webhook() returns trigger
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _hook pgqueue.webhook;
    _job pgqueue.job;
    _change pgqueue.webhook_change;
    _payload jsonb;
    _payloads jsonb[];
    _count bigint;
    _bytes bigint;
    _part integer;
    _ids bigint[];
begin
    select w.* into _hook from pgqueue.webhook as w where w.webhook_id = tg_argv[0]::bigint and w.enabled;
    if not found then
        return null;
    end if;
    perform internal.require_plain_casts(tg_relid);
    _job := internal.webhook_job(_hook);
    if _hook.jwt_source = 'from_session' then
        _change.token := internal.session_token();
        _change.problem := case when _change.token is null then 'authorization header not found in the request' end;
    end if;
    if tg_level = 'ROW' then
        begin
            _payload := internal.webhook_payload(tg_op, _hook.table_schema, _hook.table_name, case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end, _hook.columns, _hook.changed_only, _hook.key_columns, tg_relid);
        exception
        when untranslatable_character then
            _payload := internal.webhook_payload(tg_op, _hook.table_schema, _hook.table_name, case when tg_op <> 'INSERT' then internal.to_plain_json(row_to_json(old)) end, case when tg_op <> 'DELETE' then internal.to_plain_json(row_to_json(new)) end, _hook.columns, _hook.changed_only, _hook.key_columns, tg_relid);
        when program_limit_exceeded or out_of_memory then
            _payload := jsonb_build_object('type', tg_op, 'table', _hook.table_name, 'schema', _hook.table_schema, 'record', null, 'old_record', null,
                                           'truncated', true);
        end;
        perform internal.add_webhook_jobs(_job, _change.token, null, _change.problem, array[_payload]);
        return null;
    end if;

    if tg_op = 'DELETE' then
        select count(*) into _count from old_rows;
        select sum(pg_column_size(x.*)) into _bytes from (select * from old_rows limit 100) as x;
    else
        select count(*) into _count from new_rows;
        select sum(pg_column_size(x.*)) into _bytes from (select * from new_rows limit 100) as x;
    end if;
    if _count = 0 then
        return null;
    end if;
    _change.webhook_id := _hook.webhook_id;
    _change.arguments := null;
    _change.table_schema := _hook.table_schema;
    _change.table_name := _hook.table_name;
    _change.event := tg_op;
    -- Rows before and after an update are in the same order: that of their change.
    begin
        if _count <= 100 then
            begin
                if tg_op = 'INSERT' then
                    _payloads := (select array_agg(internal.webhook_payload(tg_op, _hook.table_schema, _hook.table_name, null, to_jsonb(n), _hook.columns, _hook.changed_only, _hook.key_columns, tg_relid)) from new_rows as n);
                elsif tg_op = 'DELETE' then
                    _payloads := (select array_agg(internal.webhook_payload(tg_op, _hook.table_schema, _hook.table_name, to_jsonb(o), null, _hook.columns, _hook.changed_only, _hook.key_columns, tg_relid)) from old_rows as o);
                else
                    _payloads := (select array_agg(internal.webhook_payload(tg_op, _hook.table_schema, _hook.table_name, o.record, n.record, _hook.columns, _hook.changed_only, _hook.key_columns, tg_relid))
                        from (select row_number() over () as i, to_jsonb(x) as record from old_rows as x) as o
                        join (select row_number() over () as i, to_jsonb(x) as record from new_rows as x) as n on n.i = o.i);
                end if;
            exception when untranslatable_character then
                _payloads := null; -- A json value that jsonb cannot hold: kept as it is.
            end;
        end if;
        if _payloads is null then
            -- Few enough for one array, and for the memory that this takes.
            _part := greatest(100, least(10000, 100 * 16000000 / greatest(_bytes, 1)));
            _ids := internal.keep_change(_change, (_count + _part - 1) / _part);
            if tg_op <> 'INSERT' then
                execute internal.capture_statement(tg_relid, false, _hook.columns, case when _count > _part then _part end) using _ids;
            end if;
            if tg_op <> 'DELETE' then
                execute internal.capture_statement(tg_relid, true, _hook.columns, case when _count > _part then _part end) using _ids;
            end if;
        end if;
    exception when program_limit_exceeded or out_of_memory then
        -- Too large to be written down: their number is told, and the statement goes on.
        _payloads := array[jsonb_build_object('type', tg_op, 'table', _hook.table_name, 'schema', _hook.table_schema, 'record', null,
                                              'old_record', null, 'truncated', true, 'rows', _count)];
    end;
    if _payloads is not null then
        perform internal.add_webhook_jobs(_job, _change.token, null, _change.problem, _payloads);
    end if;
    return null;
end
$$;
comment on function internal.fire_webhook() is 'Sends changed rows to the URL of a webhook.';
