-- pgqueue.create_webhook(_name, _table, _events, _url, ...)
-- Sends changed rows of a table to a URL.  Everything is checked now; the triggers carry the
-- webhook's id and no secret.  Security invoker: the caller must own the table.
-- Triggers are for each statement, with transition tables, where these see every row: not on
-- partitioned tables, partitions and members of an inheritance tree, not with a condition, and
-- not for updates of a table without a primary key.
create or replace function pgqueue.create_webhook(_name text, _table regclass, _events text[], _url text, _headers jsonb default null,
        _jwt text default null, _signing_secret bytea default null, _signing_vault text default null,
        _signing_header text default 'X-HMAC-Signature', _signing_style pgqueue.signing_styles default 'HMAC',
        _signing_alg pgqueue.signing_algs default 'sha256', _signing_enc pgqueue.signing_encs default 'hex',
        _columns text[] default null, _changed_only boolean default false, _retry_limit integer default 10,
        _retry_5xx boolean default true, _when text default null) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _hook pgqueue.webhook;
    _class pg_class;
    _event text;
    _column text;
    _by_row boolean;
    _id bigint;
begin
    if coalesce(_name, '') = '' or _table is null or _url is null then
        raise exception using errcode = '22004', message = 'name, table and url must not be null';
    end if;
    select c.* into strict _class from pg_class as c where c.oid = _table;
    if _class.relkind not in ('r', 'p') then
        raise exception using errcode = '22023', message = format('%s is not a table', _table);
    end if;
    if coalesce(cardinality(_events), 0) = 0
       or exists (select 1 from unnest(_events) as e where upper(e) not in ('INSERT', 'UPDATE', 'DELETE') or e is null) then
        raise exception using errcode = '22023', message = 'events must be some of INSERT, UPDATE, DELETE';
    end if;
    foreach _column in array coalesce(_columns, '{}') loop
        if not exists (select 1 from pg_attribute as a where a.attrelid = _table and a.attname = _column and a.attnum > 0
                       and not a.attisdropped) then
            raise exception using errcode = '42703', message = format('column "%s" of %s does not exist', _column, _table);
        end if;
    end loop;
    if _retry_limit is null or _retry_limit not between 0 and 100 then
        raise exception using errcode = '22023', message = format('retry_limit %s is not between 0 and 100', _retry_limit);
    end if;
    _hook.name := _name;
    _hook.table_schema := (select n.nspname from pg_namespace as n where n.oid = _class.relnamespace);
    _hook.table_name := _class.relname;
    _hook.events := array(select distinct upper(e) from unnest(_events) as e order by 1);
    _hook.url := _url;
    _hook.headers := _headers;
    _hook.signing_vault := nullif(_signing_vault, '');
    _hook.signing_header := _signing_header;
    _hook.signing_style := _signing_style;
    _hook.signing_alg := _signing_alg;
    _hook.signing_enc := _signing_enc;
    _hook.columns := _columns;
    _hook.changed_only := coalesce(_changed_only, false);
    _hook.condition := _when;
    _hook.key_columns := internal.key_columns(_table);
    _hook.retry_limit := _retry_limit;
    _hook.retry_5xx := coalesce(_retry_5xx, true);
    _id := internal.store_webhook(_hook, nullif(_jwt, ''), _signing_secret);
    foreach _event in array _hook.events loop
        _by_row := _class.relkind = 'p' or _class.relispartition or _when is not null
                   or exists (select 1 from pg_inherits as i where _table in (i.inhrelid, i.inhparent))
                   or (_event = 'UPDATE' and _hook.key_columns is null);
        execute format('create trigger %I after %s on %s %s for each %s %s execute function internal.fire_webhook(%L)',
            format('reeve_webhook_%s_%s', _id, lower(_event)), _event, _table,
            case when _by_row then '' when _event = 'INSERT' then 'referencing new table as new_rows'
                 when _event = 'DELETE' then 'referencing old table as old_rows'
                 else 'referencing old table as old_rows new table as new_rows' end,
            case when _by_row then 'row' else 'statement' end,
            -- The caller's own text, in a statement that runs with the caller's own rights.
            case when _when is not null then 'when (' || _when || ')' else '' end, _id);
    end loop;
    return _id;
end
$$;
comment on function pgqueue.create_webhook(text, regclass, text[], text, jsonb, text, bytea, text, text, pgqueue.signing_styles,
    pgqueue.signing_algs, pgqueue.signing_encs, text[], boolean, integer, boolean, text) is 'Sends changed rows of a table to a URL.';
