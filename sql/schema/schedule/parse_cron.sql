-- internal.parse_cron(_expression)
-- A cron expression as masks.  Five fields, or six with the seconds first, or one of @hourly ... @yearly.  An expression that never
-- comes is refused.
create or replace function internal.parse_cron(_expression text) returns internal.cron
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _names constant text[] := array['second', 'minute', 'hour', 'day of month', 'month', 'day of week'];
    _text text := btrim(_expression, E' \t\r\n');
    _fields text[];
    _field record;
    _cron internal.cron;
    _has_days boolean;
    _has_weekdays boolean;
begin
    perform internal.check_text('expression', _expression, 1024);
    if coalesce(_text, '') = '' then
        raise exception using errcode = '22023', message = 'the expression is empty', hint = 'Example: "30 2 * * *" is 02:30 every day.';
    end if;
    if _text like '@%' then
        _text := case lower(_text) when '@yearly' then '0 0 1 1 *' when '@annually' then '0 0 1 1 *' when '@monthly' then '0 0 1 * *'
            when '@weekly' then '0 0 * * 0' when '@daily' then '0 0 * * *' when '@midnight' then '0 0 * * *'
            when '@hourly' then '0 * * * *' end;
        if _text is null then
            raise exception using errcode = '22023', message = format('name "%s" is not known', left(_expression, 64)),
                hint = 'Names are @hourly, @daily, @midnight, @weekly, @monthly, @yearly and @annually. Example: "@daily" is 00:00 every day.';
        end if;
    end if;
    _fields := regexp_split_to_array(_text, '[ \t\r\n]+');
    if cardinality(_fields) = 5 then
        _fields := '0'::text || _fields;
    elsif cardinality(_fields) <> 6 then
        raise exception using errcode = '22023',
            message = format('expression "%s" has %s fields, not 5 or 6', left(_expression, 128), cardinality(_fields)),
            hint = 'The fields are: second (may be left out), minute, hour, day of month, month, day of week. Example: "30 2 * * MON-FRI" is 02:30 on weekdays.';
    end if;
    for _i in 1 .. 6 loop
        _field := internal.parse_field(_names[_i], _fields[_i], _expression);
        case _i
            when 1 then _cron.seconds := _field.mask;
            when 2 then _cron.minutes := _field.mask;
            when 3 then
                _cron.hours := _field.mask;
                -- * and */n follow real time; any other hour is an hour of the wall clock.
                _cron.is_hourly := _fields[_i] ~ '^\*(/[0-9]+)?$';
            when 4 then
                _cron.days := _field.mask;
                _cron.is_last := _field.is_last;
                _has_days := not _field.is_star;
            when 5 then _cron.months := _field.mask;
            else
                _cron.weekdays := _field.mask;
                _cron.nths := _field.nths;
                _has_weekdays := not _field.is_star;
        end case;
    end loop;
    _cron.is_either := _has_days and _has_weekdays;
    if internal.next_local(_cron, timestamp '2000-01-01') is null then
        raise exception using errcode = '22023', message = format('expression "%s" never comes: day of month "%s" and month "%s" do not meet',
                left(_expression, 128), left(_fields[4], 64), left(_fields[5], 64)),
            hint = 'Example: "30 2 L 2 *" is 02:30 on the last day of February.';
    end if;
    return _cron;
end
$$;
comment on function internal.parse_cron(text) is 'A cron expression as masks.';
