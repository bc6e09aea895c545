-- internal.get_config(_key), internal.set_config(_key, _value)
-- Settings of the engine.  Unknown keys and wrong types are refused, except keys
-- under "app.", which belong to the application.
create or replace function internal.get_config(_key text) returns jsonb
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
    select c.value from internal.config as c where c.key = _key
$$;
comment on function internal.get_config(text) is 'A setting of the engine.';

create or replace function internal.set_config(_key text, _value jsonb) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _old jsonb;
begin
    if _key is null or _value is null then
        raise exception using errcode = '22004', message = 'key and value must not be null';
    end if;
    select c.value into _old from internal.config as c where c.key = _key;
    if _old is null and _key not like 'app.%' then
        raise exception using errcode = '22023', message = format('unknown setting "%s"', left(_key, 128));
    end if;
    if _key = 'runner_mode' then
        raise exception using errcode = '22023', message = 'setting "runner_mode" cannot be changed here',
            hint = 'Use internal.set_runner_mode.';
    elsif _key = 'without' then
        raise exception using errcode = '22023', message = 'setting "without" cannot be changed here',
            hint = 'Modules are left out by reeve install --without.';
    elsif _key = 'migrating' then
        raise exception using errcode = '22023', message = 'setting "migrating" cannot be changed here', hint = 'Run: reeve migrate';
    end if;
    if _key not like 'app.%' then
        perform internal.check_config(_key, _value, _old);
    end if;
    perform internal.put_config(_key, _value);
end
$$;
comment on function internal.set_config(text, jsonb) is 'Changes a setting of the engine.';
