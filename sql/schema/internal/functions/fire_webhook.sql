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
    _part record;
begin
    select w.* into _hook from pgqueue.webhook as w where w.webhook_id = tg_argv[0]::bigint and w.enabled;
    if not found then
        return null;
    end if;
    _job := internal.webhook_job(_hook);
    if _hook.jwt_source = 'from_session' then
        _change.token := internal.session_token();
        _change.problem := case when _change.token is null then 'authorization header not found in the request' end;
    end if;
    if tg_level = 'ROW' then
        begin
            _payload := internal.webhook_payload(tg_op, _hook.table_schema, _hook.table_name, case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end, _hook.columns, _hook.changed_only, _hook.key_columns, tg_relid);
        exception when program_limit_exceeded or out_of_memory then
            _payload := jsonb_build_object('type', tg_op, 'table', _hook.table_name, 'schema', _hook.table_schema, 'record', null, 'old_record', null,
                                           'truncated', true);
        end;
        perform internal.add_webhook_jobs(_job, _change.token, null, _change.problem, array[_payload]);
        return null;
    end if;

    if tg_op = 'DELETE' then
        select count(*) into _count from old_rows;
    else
        select count(*) into _count from new_rows;
    end if;
    if _count = 0 then
        return null;
    end if;
    _change.webhook_id := _hook.webhook_id;
    _change.arguments := null;
    _change.table_schema := _hook.table_schema;
    _change.table_name := _hook.table_name;
    _change.event := tg_op;
    _change.changed_at := now();
    -- Rows before and after an update are in the same order: that of their change.
    begin
        if _count <= 100 then
            if tg_op = 'INSERT' then
                _payloads := (select array_agg(internal.webhook_payload(tg_op, _hook.table_schema, _hook.table_name, null, to_jsonb(n), _hook.columns, _hook.changed_only, _hook.key_columns, tg_relid)) from new_rows as n);
            elsif tg_op = 'DELETE' then
                _payloads := (select array_agg(internal.webhook_payload(tg_op, _hook.table_schema, _hook.table_name, to_jsonb(o), null, _hook.columns, _hook.changed_only, _hook.key_columns, tg_relid)) from old_rows as o);
            else
                _payloads := (select array_agg(internal.webhook_payload(tg_op, _hook.table_schema, _hook.table_name, o.record, n.record, _hook.columns, _hook.changed_only, _hook.key_columns, tg_relid))
                    from (select row_number() over () as i, to_jsonb(x) as record from old_rows as x) as o
                    join (select row_number() over () as i, to_jsonb(x) as record from new_rows as x) as n on n.i = o.i);
            end if;
        elsif _count <= 10000 then
            if tg_op <> 'INSERT' then
                _change.old_rows := (select json_agg(o) from old_rows as o);
            end if;
            if tg_op <> 'DELETE' then
                _change.new_rows := (select json_agg(n) from new_rows as n);
            end if;
            perform internal.keep_change(_change);
        elsif tg_op = 'INSERT' then
            for _part in select json_agg(x.n) as rows from (select n, row_number() over () as i from new_rows as n) as x group by x.i / 10000 loop
                _change.new_rows := _part.rows;
                perform internal.keep_change(_change);
            end loop;
        elsif tg_op = 'DELETE' then
            for _part in select json_agg(x.o) as rows from (select o, row_number() over () as i from old_rows as o) as x group by x.i / 10000 loop
                _change.old_rows := _part.rows;
                perform internal.keep_change(_change);
            end loop;
        else
            for _part in
                select o.rows as old_rows, n.rows as new_rows
                from (select x.i / 10000 as c, json_agg(x.o order by x.i) as rows
                      from (select o, row_number() over () as i from old_rows as o) as x group by 1) as o
                join (select x.i / 10000 as c, json_agg(x.n order by x.i) as rows
                      from (select n, row_number() over () as i from new_rows as n) as x group by 1) as n on n.c = o.c
            loop
                _change.old_rows := _part.old_rows;
                _change.new_rows := _part.new_rows;
                perform internal.keep_change(_change);
            end loop;
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
