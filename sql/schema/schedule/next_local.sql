-- internal.next_day(_cron, _date), internal.next_local(_cron, _after)
-- The first day that matches, from _date on; and the first time of the wall clock that matches, after _after.  Both ignore zones.
-- Null: there is none within 50 years.  They jump from match to match: a mask is a text, and strpos finds the next 1.
create or replace function internal.next_day(_cron internal.cron, _date date) returns date
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _year integer := extract(year from _date);
    _month integer := extract(month from _date);
    _day integer := extract(day from _date);
    _length integer;
    _first integer; -- weekday of the first day of the month; Sunday is 0
    _weekday integer;
    _is_day boolean;
    _is_weekday boolean;
    _skip integer;
begin
    for _i in 0 .. 600 loop
        if substr(_cron.months, _month, 1) = '1' then
            _length := extract(day from make_date(_year, _month, 1) + interval '1 month' - interval '1 day');
            _first := extract(dow from make_date(_year, _month, 1));
            while _day <= _length loop
                _weekday := (_first + _day - 1) % 7;
                _is_day := substr(_cron.days, _day, 1) = '1' or _cron.is_last and _day = _length;
                _is_weekday := substr(_cron.weekdays, _weekday + 1, 1) = '1'
                    or substr(_cron.nths, _weekday * 5 + (_day - 1) / 7 + 1, 1) = '1';
                if _is_day and _is_weekday or _cron.is_either and (_is_day or _is_weekday) then
                    return make_date(_year, _month, _day);
                end if;
                _day := _day + 1;
            end loop;
        end if;
        _day := 1;
        _skip := strpos(substr(_cron.months, _month + 1), '1');
        if _skip > 0 then
            _month := _month + _skip;
        else
            _year := _year + 1;
            _month := strpos(_cron.months, '1');
        end if;
        exit when _year > extract(year from _date) + 50;
    end loop;
    return null;
end
$$;
comment on function internal.next_day(internal.cron, date) is 'The first day that matches a cron expression.';

create or replace function internal.next_local(_cron internal.cron, _after timestamp) returns timestamp
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _from constant timestamp := date_trunc('second', _after) + interval '1 second';
    _start constant date := _from::date;
    _date date := internal.next_day(_cron, _start);
    _hour integer := 0;
    _minute integer := 0;
    _second integer := 0;
    _skip integer;
begin
    if _date = _start then
        _hour := extract(hour from _from);
        _minute := extract(minute from _from);
        _second := floor(extract(second from _from));
    end if;
    -- A field that has no more match moves the one before it; at most once around for each.
    while _date is not null loop
        _skip := strpos(substr(_cron.hours, _hour + 1), '1');
        if _skip <> 1 then
            _minute := 0;
            _second := 0;
        end if;
        if _skip = 0 then
            _date := internal.next_day(_cron, _date + 1);
            _hour := 0;
            continue;
        end if;
        _hour := _hour + _skip - 1;
        _skip := strpos(substr(_cron.minutes, _minute + 1), '1');
        if _skip <> 1 then
            _second := 0;
        end if;
        if _skip = 0 then
            _hour := _hour + 1;
            _minute := 0;
            continue;
        end if;
        _minute := _minute + _skip - 1;
        _skip := strpos(substr(_cron.seconds, _second + 1), '1');
        if _skip = 0 then
            _minute := _minute + 1;
            _second := 0;
            continue;
        end if;
        _second := _second + _skip - 1;
        return _date + make_time(_hour, _minute, _second);
    end loop;
    return null;
end
$$;
comment on function internal.next_local(internal.cron, timestamp) is 'The first time of the wall clock that matches a cron expression.';
