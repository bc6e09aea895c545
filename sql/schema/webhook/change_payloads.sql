-- internal.change_payloads(_change, _hook, _relid, _old, _new)
-- What changed rows are sent as: the rows before and after the change, in the same order; null where there is no such
-- side.
create or replace function internal.change_payloads(_change pgqueue.webhook_change, _hook pgqueue.webhook, _relid oid, _old jsonb[],
        _new jsonb[]) returns jsonb[]
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return array(
        select internal.webhook_payload(_change.event, _change.table_schema, _change.table_name, c.old_record, c.new_record,
                                        _hook.columns, coalesce(_hook.changed_only, false), _hook.key_columns, _relid)
        from unnest(_old, _new) with ordinality as c(old_record, new_record, n) order by c.n);
end
$$;
comment on function internal.change_payloads(pgqueue.webhook_change, pgqueue.webhook, oid, jsonb[], jsonb[]) is
    'Bodies of the jobs of changed rows.';

-- internal.unread_payload(_change, _count)
-- The same for rows that are too large to be kept: it says how many there were.
create or replace function internal.unread_payload(_change pgqueue.webhook_change, _count bigint) returns jsonb[]
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return array[jsonb_build_object('type', _change.event, 'table', _change.table_name, 'schema', _change.table_schema, 'record', null,
                                    'old_record', null, 'truncated', true)
                 || case when _count is not null then jsonb_build_object('rows', _count) else '{}' end];
end
$$;
comment on function internal.unread_payload(pgqueue.webhook_change, bigint) is 'Body of the job of rows that are too large.';
