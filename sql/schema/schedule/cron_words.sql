-- internal.mask_words(_mask, _base, _names), internal.cron_words(_cron, _every, _zone)
-- The values of a mask, and a whole plan, in plain words: at 02:30 on weekdays, Europe/Oslo.
create or replace function internal.mask_words(_mask text, _base integer, _names text[] default null) returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _words text[] := array[]::text[];
    _first integer;
    _value integer := 1;
begin
    while _value <= length(_mask) loop
        if substr(_mask, _value, 1) = '1' then
            _first := _value;
            while substr(_mask, _value + 1, 1) = '1' loop
                _value := _value + 1;
            end loop;
            if _value - _first >= 2 then
                _words := _words || (coalesce(_names[_first], (_first - 1 + _base)::text) || ' to '
                                     || coalesce(_names[_value], (_value - 1 + _base)::text));
            else
                for _i in _first .. _value loop
                    _words := _words || coalesce(_names[_i], (_i - 1 + _base)::text);
                end loop;
            end if;
        end if;
        _value := _value + 1;
    end loop;
    return concat_ws(' and ', nullif(array_to_string(_words[:cardinality(_words) - 1], ', '), ''), _words[cardinality(_words)]);
end
$$;
comment on function internal.mask_words(text, integer, text[]) is 'The values of a mask in words.';

create or replace function internal.cron_words(_cron internal.cron, _every interval, _zone text) returns text
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _weekdays constant text[] := array['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
    _months constant text[] := array['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September',
                                        'October', 'November', 'December'];
    _weeks constant text[] := array['first', 'second', 'third', 'fourth', 'fifth'];
    _seconds constant integer := length(replace(_cron.seconds, '0', ''));
    _minutes constant integer := length(replace(_cron.minutes, '0', ''));
    _hours constant integer := length(replace(_cron.hours, '0', ''));
    _step integer;
    _time text;
    _of_month text[] := array[]::text[];
    _of_week text[] := array[]::text[];
    _day text;
begin
    if _every is not null then
        return 'every ' || case when _every = interval '1 second' then 'second' when _every = interval '1 minute' then 'minute'
            when _every = interval '1 hour' then 'hour'
            when extract(epoch from _every)::numeric % 86400 = 0 then extract(epoch from _every)::bigint / 86400 || ' days of 24 hours'
            when extract(epoch from _every)::numeric % 3600 = 0 then extract(epoch from _every)::bigint / 3600 || ' hours'
            when extract(epoch from _every)::numeric % 60 = 0 then extract(epoch from _every)::bigint / 60 || ' minutes'
            else trim_scale(extract(epoch from _every)::numeric) || ' seconds' end;
    end if;
    if _hours = 24 and _minutes = 60 then
        _step := 60 / nullif(_seconds, 0);
        _time := case when _seconds = 60 then 'every second'
            when _seconds = 1 and left(_cron.seconds, 1) = '1' then 'every minute'
            when _cron.seconds = repeat(rpad('1', _step, '0'), _seconds) then format('every %s seconds', _step)
            else format('at second %s of every minute', internal.mask_words(_cron.seconds, 0)) end;
    elsif _hours = 24 then
        _step := 60 / _minutes;
        _time := case when _minutes = 1 and left(_cron.minutes, 1) = '1' then 'every hour'
            when _minutes > 1 and _cron.minutes = repeat(rpad('1', _step, '0'), _minutes) then format('every %s minutes', _step)
            else format('at minute %s of every hour', internal.mask_words(_cron.minutes, 0)) end;
    elsif _hours * _minutes <= 6 then
        select concat_ws(' and ', nullif(array_to_string(t.words[:cardinality(t.words) - 1], ', '), ''), t.words[cardinality(t.words)]) into _time
        from (select array_agg(lpad((h - 1)::text, 2, '0') || ':' || lpad((m - 1)::text, 2, '0') order by h, m) as words
              from generate_series(1, 24) as h, generate_series(1, 60) as m
              where substr(_cron.hours, h, 1) = '1' and substr(_cron.minutes, m, 1) = '1') as t;
        _time := 'at ' || _time;
    else
        _step := 60 / _minutes;
        _time := case when _minutes = 1 and left(_cron.minutes, 1) = '1' then 'every hour'
            when _minutes = 60 then 'every minute'
            when _minutes > 1 and _cron.minutes = repeat(rpad('1', _step, '0'), _minutes) then format('every %s minutes', _step)
            else format('at minute %s', internal.mask_words(_cron.minutes, 0)) end;
        _step := 24 / _hours;
        _time := _time || case when _cron.hours = repeat(rpad('1', _step, '0'), _hours) and _step * _hours = 24
                               then format(' in every %s hour', case _step when 2 then 'second' when 3 then 'third' else _step || 'th' end)
                               else format(' in hour %s', internal.mask_words(_cron.hours, 0)) end;
        _time := regexp_replace(_time, '^every hour in every (.*) hour$', 'every \1 hour');
    end if;
    if not (_hours = 24 and _minutes = 60) and not (_seconds = 1 and left(_cron.seconds, 1) = '1') then
        _time := _time || format(', at second %s', internal.mask_words(_cron.seconds, 0));
    end if;
    if _cron.days like '%1%' and _cron.days like '%0%' then
        _of_month := _of_month || format('on day %s of the month', internal.mask_words(_cron.days, 1));
    end if;
    if _cron.is_last then
        _of_month := _of_month || text 'on the last day of the month';
    end if;
    if _cron.weekdays = '0111110' then
        _of_week := _of_week || text 'on weekdays';
    elsif _cron.weekdays = '1000001' then
        _of_week := _of_week || text 'on weekends';
    elsif _cron.weekdays like '%1%' and _cron.weekdays like '%0%' then
        _of_week := _of_week || format('on %s', internal.mask_words(_cron.weekdays, 0, _weekdays));
    end if;
    for _i in 0 .. 34 loop
        if substr(_cron.nths, _i + 1, 1) = '1' then
            _of_week := _of_week || format('on the %s %s of the month', _weeks[_i % 5 + 1], _weekdays[_i / 5 + 1]);
        end if;
    end loop;
    _day := concat_ws(case when _cron.is_either then ' or ' else ' if it is ' end,
        nullif(array_to_string(_of_month, ' and '), ''), nullif(array_to_string(_of_week, ' and '), ''));
    if _day = '' and _time like 'at __:__%' and _cron.months not like '%0%' then
        _day := 'every day';
    end if;
    return concat_ws(' ', _time, nullif(_day, ''),
        case when _cron.months like '%0%' then 'in ' || internal.mask_words(_cron.months, 1, _months) end) || ', ' || _zone;
end
$$;
comment on function internal.cron_words(internal.cron, interval, text) is 'When a schedule fires, in plain words.';
