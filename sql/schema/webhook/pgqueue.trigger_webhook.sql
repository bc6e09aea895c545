-- pgqueue.trigger_webhook()
-- Trigger function: after insert, update or delete, for each row, or for each statement with
-- transition tables new_rows and old_rows.  Arguments: internal.webhook_arguments.
-- The user's transaction makes inserts and nothing else: no network, no signature, no access to a
-- secret.  A statement that changed many rows makes one insert, and a worker makes the jobs.
-- It runs with our rights for every role that may change the table, so it runs no code of a user.  A type may
-- have a cast to JSON that is a function of its owner (internal.plain_record).
-- internal.fire_webhook has the same text, see there.
create or replace function pgqueue.trigger_webhook() returns trigger
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable -- a column of the table may be called tg_op
declare
    _is_registered constant boolean := false;
    _asked record;
    _hook pgqueue.webhook; -- null: the arguments say everything
    _secret bytea;
    _job pgqueue.job;
    _change pgqueue.webhook_change;
    _old jsonb[];
    _new jsonb[];
    _payloads jsonb[];
    _record text; -- how a row is written; null: by to_jsonb
    _count bigint;
    _bytes bigint;
    _part integer;
    _ids bigint[];
begin
    if _is_registered then
        select w.* into _hook from pgqueue.webhook as w where w.webhook_id = tg_argv[0]::bigint and w.enabled;
        if not found then
            return null;
        end if;
        _job := internal.webhook_job(_hook);
        _change.webhook_id := _hook.webhook_id;
        _change.table_schema := _hook.table_schema;
        _change.table_name := _hook.table_name;
        _change.token := case when _hook.jwt_source = 'from_session' then 'from_session' end;
    else
        perform internal.check_webhook_trigger(tg_when, tg_level, tg_op, tg_relid, tg_name);
        _change.arguments := array(select a from unnest(tg_argv) as a);
        _asked := internal.webhook_arguments(_change.arguments);
        _job := _asked.job;
        -- The role that changes a row names no secret: the owner of the table does.
        if _job.signing_vault is not null then
            perform internal.check_signer(_job.signing_vault, _job.url,
                (select pg_get_userbyid(c.relowner) from pg_class as c where c.oid = tg_relid));
        end if;
        _change.table_schema := tg_table_schema;
        _change.table_name := tg_table_name;
        _change.token := _asked.token;
        _secret := _asked.secret;
    end if;
    _change.event := tg_op;
    if _change.token = 'from_session' then
        _change.token := internal.session_token();
        _change.problem := case when _change.token is null then 'authorization header not found in the request' end;
    end if;
    _record := internal.plain_record(tg_relid, case tg_level when 'ROW' then '($1)' else 'r' end);
    if tg_level = 'ROW' then
        begin
            if tg_op <> 'INSERT' and _record is null then
                _old := array[to_jsonb(old)];
            elsif tg_op <> 'INSERT' then
                execute format('select array[%s]', _record) into _old using old;
            end if;
            if tg_op <> 'DELETE' and _record is null then
                _new := array[to_jsonb(new)];
            elsif tg_op <> 'DELETE' then
                execute format('select array[%s]', _record) into _new using new;
            end if;
            _payloads := internal.change_payloads(_change, _hook, tg_relid, _old, _new);
        exception
        when untranslatable_character then -- A json value that jsonb cannot hold.
            _payloads := internal.change_payloads(_change, _hook, tg_relid,
                case when tg_op <> 'INSERT' then array[internal.to_plain_json(row_to_json(old))] end,
                case when tg_op <> 'DELETE' then array[internal.to_plain_json(row_to_json(new))] end);
        when program_limit_exceeded or out_of_memory then
            _payloads := internal.unread_payload(_change, null);
        end;
        perform internal.add_webhook_jobs(_job, _change.token, _secret, _change.problem, _payloads);
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
    -- Rows before and after an update are in the same order: that of their change.
    begin
        if _count <= 100 then
            begin
                if tg_op <> 'INSERT' and _record is null then
                    select array_agg(to_jsonb(r.*)) into _old from old_rows as r;
                elsif tg_op <> 'INSERT' then
                    execute format('select array_agg(%s) from old_rows as r', _record) into _old;
                end if;
                if tg_op <> 'DELETE' and _record is null then
                    select array_agg(to_jsonb(r.*)) into _new from new_rows as r;
                elsif tg_op <> 'DELETE' then
                    execute format('select array_agg(%s) from new_rows as r', _record) into _new;
                end if;
                _payloads := internal.change_payloads(_change, _hook, tg_relid, _old, _new);
            exception when untranslatable_character then
                null; -- A json value that jsonb cannot hold: kept as it is.
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
        -- The rows are too large to be kept: the payload says how many there were, and the statement goes on.
        _payloads := internal.unread_payload(_change, _count);
    end;
    if _payloads is not null then
        perform internal.add_webhook_jobs(_job, _change.token, _secret, _change.problem, _payloads);
    end if;
    return null;
end
$$;
comment on function pgqueue.trigger_webhook() is 'Sends changed rows to a URL; for create trigger.';
