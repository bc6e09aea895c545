-- pgqueue.trigger_webhook()
-- Trigger function: after insert, update or delete, for each row, or for each statement with
-- transition tables new_rows and old_rows.  Arguments: internal.webhook_arguments.
-- The user's transaction gets inserts and nothing else: no network, no signature, no look at a
-- secret.  A statement that changed many rows gets one insert; a worker makes the jobs.
-- Runs for every role that may change the table.
create or replace function pgqueue.trigger_webhook() returns trigger
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _asked record;
    _job pgqueue.job;
    _change pgqueue.webhook_change;
    _payload jsonb;
    _payloads jsonb[];
    _count bigint;
    _bytes bigint;
    _part integer;
    _ids bigint[];
begin
    perform internal.check_webhook_trigger(tg_when, tg_level, tg_op, tg_relid, tg_name);
    perform internal.require_plain_casts(tg_relid);
    _asked := internal.webhook_arguments(array(select a from unnest(tg_argv) as a));
    _job := _asked.job;
    _change.token := _asked.token;
    if _change.token = 'from_session' then
        _change.token := internal.session_token();
        _change.problem := case when _change.token is null then 'authorization header not found in the request' end;
    end if;
    if tg_level = 'ROW' then
        begin
            _payload := internal.webhook_payload(tg_op, tg_table_schema, tg_table_name, case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end, null, false, null, tg_relid);
        exception
        when untranslatable_character then
            _payload := internal.webhook_payload(tg_op, tg_table_schema, tg_table_name, case when tg_op <> 'INSERT' then internal.to_plain_json(row_to_json(old)) end, case when tg_op <> 'DELETE' then internal.to_plain_json(row_to_json(new)) end, null, false, null, tg_relid);
        when program_limit_exceeded or out_of_memory then
            _payload := jsonb_build_object('type', tg_op, 'table', tg_table_name, 'schema', tg_table_schema, 'record', null, 'old_record', null,
                                           'truncated', true);
        end;
        perform internal.add_webhook_jobs(_job, _change.token, _asked.secret, _change.problem, array[_payload]);
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
    _change.webhook_id := null;
    _change.arguments := array(select a from unnest(tg_argv) as a);
    _change.table_schema := tg_table_schema;
    _change.table_name := tg_table_name;
    _change.event := tg_op;
    -- Rows before and after an update are in the same order: that of their change.
    begin
        if _count <= 100 then
            begin
                if tg_op = 'INSERT' then
                    _payloads := (select array_agg(internal.webhook_payload(tg_op, tg_table_schema, tg_table_name, null, to_jsonb(n), null, false, null, tg_relid)) from new_rows as n);
                elsif tg_op = 'DELETE' then
                    _payloads := (select array_agg(internal.webhook_payload(tg_op, tg_table_schema, tg_table_name, to_jsonb(o), null, null, false, null, tg_relid)) from old_rows as o);
                else
                    _payloads := (select array_agg(internal.webhook_payload(tg_op, tg_table_schema, tg_table_name, o.record, n.record, null, false, null, tg_relid))
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
                execute internal.capture_statement(tg_relid, false, null, case when _count > _part then _part end) using _ids;
            end if;
            if tg_op <> 'DELETE' then
                execute internal.capture_statement(tg_relid, true, null, case when _count > _part then _part end) using _ids;
            end if;
        end if;
    exception when program_limit_exceeded or out_of_memory then
        -- Too large to be written down: their number is told, and the statement goes on.
        _payloads := array[jsonb_build_object('type', tg_op, 'table', tg_table_name, 'schema', tg_table_schema, 'record', null,
                                              'old_record', null, 'truncated', true, 'rows', _count)];
    end;
    if _payloads is not null then
        perform internal.add_webhook_jobs(_job, _change.token, _asked.secret, _change.problem, _payloads);
    end if;
    return null;
end
$$;
comment on function pgqueue.trigger_webhook() is 'Sends changed rows to a URL; for create trigger.';
