-- internal.webhook_payload(_event, _schema, _table, _old, _new, _columns, _changed_only, _keys, _relid)
-- What a changed row is sent as; null: it is not sent.  A record over the limit is sent with its
-- primary key only, and says so.
create or replace function internal.webhook_payload(_event text, _schema name, _table name, _old jsonb, _new jsonb, _columns text[],
        _changed_only boolean, _keys text[], _relid oid) returns jsonb
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _payload jsonb;
    _max integer;
begin
    if _columns is not null then
        _old := case when _old is not null then coalesce((select jsonb_object_agg(c, _old->c) from unnest(_columns) as c where _old ? c), '{}') end;
        _new := case when _new is not null then coalesce((select jsonb_object_agg(c, _new->c) from unnest(_columns) as c where _new ? c), '{}') end;
    end if;
    if _changed_only and _event = 'UPDATE' and _old = _new then
        return null;
    end if;
    _payload := jsonb_build_object('type', _event, 'table', _table, 'schema', _schema, 'record', _new, 'old_record', _old);
    if pg_column_size(_payload) > 8192 then
        _max := internal.number_setting('max_payload_bytes');
        if octet_length(_payload::text) > _max then
            _keys := coalesce(_keys, internal.key_columns(_relid));
            _payload := _payload || jsonb_build_object('truncated', true,
                'record', case when _new is not null
                               then coalesce((select jsonb_object_agg(c, _new->c) from unnest(_keys) as c where _new ? c), '{}') end,
                'old_record', case when _old is not null
                                   then coalesce((select jsonb_object_agg(c, _old->c) from unnest(_keys) as c where _old ? c), '{}') end);
        end if;
    end if;
    return _payload;
end
$$;
comment on function internal.webhook_payload(text, name, name, jsonb, jsonb, text[], boolean, text[], oid) is 'Body of a webhook.';
