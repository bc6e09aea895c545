-- internal.put_config(_key, _value)
-- Writes a checked setting, and audits the change.
create or replace function internal.put_config(_key text, _value jsonb) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform internal.check_text('key', _key, 128), internal.check_text('value', _value::text, 65536);
    insert into internal.config (key, value, updated_at, updated_by)
    values (_key, _value, clock_timestamp(), internal.actor())
    on conflict (key) do update
    set value = excluded.value, updated_at = excluded.updated_at, updated_by = excluded.updated_by;
    perform internal.audit('set_config', _key, _value);
end
$$;
comment on function internal.put_config(text, jsonb) is 'Writes a checked setting.';
