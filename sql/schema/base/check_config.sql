-- internal.check_config(_key, _value, _old)
-- Refuses a value that is not of the setting's type or out of its range.
create or replace function internal.check_config(_key text, _value jsonb, _old jsonb) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _number numeric;
begin
    if jsonb_typeof(_value) <> jsonb_typeof(_old) then
        raise exception using errcode = '22023',
            message = format('setting "%s" must be a JSON %s', _key, jsonb_typeof(_old));
    end if;
    if jsonb_typeof(_value) = 'number' then
        _number := (_value #>> '{}')::numeric;
        if _number < 0 or (_key <> 'backoff_jitter' and _number <> trunc(_number))
           or (_key = 'max_payload_bytes' and _number < 1024) -- queues.enqueue does not measure smaller payloads
           or _number > (case _key when 'max_payload_bytes' then 16777216 when 'backoff_jitter' then 2 else 32767 end) then
            raise exception using errcode = '22023', message = format('value %s of setting "%s" is out of range', _number, _key);
        end if;
    elsif _key like 'retention\_%' or _key = 'pgqueue_timeout' then
        begin
            if (_value #>> '{}')::interval <= interval '0' then
                raise exception using errcode = '22023', message = format('setting "%s" must be positive', _key);
            end if;
        exception when invalid_datetime_format or datetime_field_overflow then
            raise exception using errcode = '22023', message = format('setting "%s" must be an interval', _key);
        end;
    elsif _key = 'notify' and _value not in ('"on"', '"off"')
       or _key = 'comms_on_in_doubt' and _value not in ('"retry"', '"fail"') then
        raise exception using errcode = '22023', message = format('value %s of setting "%s" is not known', _value, _key);
    end if;
end
$$;
comment on function internal.check_config(text, jsonb, jsonb) is 'Refuses a wrong value of a setting.';
