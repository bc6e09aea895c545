-- internal.parse_field(_field, _text, _expression)
-- One field of a cron expression as a mask: one character for each value, from the smallest, 1 if the value is allowed.  A weekday
-- mask begins with Sunday.  nths: for MON#2, one character for each weekday and each of the weeks 1 to 5.  A value that is not
-- possible is refused with the field, the value and an example.
create or replace function internal.parse_field(_field text, _text text, _expression text,
        out mask text, out nths text, out is_last boolean, out is_star boolean)
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _min constant integer := case when _field in ('day of month', 'month') then 1 else 0 end;
    _max constant integer := case _field when 'hour' then 23 when 'day of month' then 31 when 'month' then 12
                                         when 'day of week' then 6 else 59 end;
    _names constant text[] := case _field when 'month' then '{JAN,FEB,MAR,APR,MAY,JUN,JUL,AUG,SEP,OCT,NOV,DEC}'::text[]
                                          when 'day of week' then '{SUN,MON,TUE,WED,THU,FRI,SAT}'::text[] else '{}' end;
    _example constant text := case _field
        when 'second' then '"*/10 * * * * *" is every ten seconds'
        when 'minute' then '"*/15 * * * *" is every quarter of an hour'
        when 'hour' then '"30 2 * * *" is 02:30 every day'
        when 'day of month' then '"0 6 1,15 * *" is 06:00 on the 1st and the 15th, "0 6 L * *" on the last day of the month'
        when 'month' then '"0 6 1 JAN,JUL *" is 06:00 on the 1st of January and July'
        else '"0 6 * * MON-FRI" is 06:00 on weekdays, "0 6 * * MON#2" on the second Monday of the month' end;
    _item text;
    _part text[];
    _low integer;
    _high integer;
    _step integer;
    _problem text;
begin
    mask := repeat('0', _max - _min + 1);
    nths := repeat('0', case when _field = 'day of week' then 35 else 0 end);
    is_last := false;
    is_star := _text like '*%'; -- as cron has it: */2 counts as a star, too
    foreach _item in array string_to_array(upper(_text), ',') loop
        if _item = 'L' and _field = 'day of month' then
            is_last := true;
            continue;
        end if;
        _part := regexp_match(_item, '^([0-9A-Z]{1,9})#([0-9]{1,9})$');
        if _part is not null and _field = 'day of week' then
            _low := case when _part[1] ~ '^[0-9]+$' then _part[1]::integer % 8 else array_position(_names, _part[1]) - 1 end;
            if _low is null or _part[1] ~ '^[0-9]+$' and _part[1]::integer > 7 then
                _problem := format('"%s" is no day of the week', _part[1]);
            elsif _part[2]::integer not between 1 and 5 then
                _problem := format('a month has no %s. weekday of a kind', _part[2]);
            else
                nths := overlay(nths placing '1' from (_low % 7) * 5 + _part[2]::integer for 1);
                continue;
            end if;
        end if;
        _part := regexp_match(_item, '^(\*|[0-9A-Z]{1,9})(?:-([0-9A-Z]{1,9}))?(?:/([0-9]{1,9}))?$');
        if _problem is null and (_part is null or _part[1] = '*' and _part[2] is not null) then
            _problem := 'it is none of a value, a range a-b, a step */n and a list of these';
        end if;
        if _problem is null then
            _step := coalesce(_part[3]::integer, 1);
            if _part[1] = '*' then
                _low := _min;
                _high := _max;
            else
                _low := case when _part[1] ~ '^[0-9]+$' then _part[1]::integer else array_position(_names, _part[1]) + _min - 1 end;
                _high := case when _part[2] is null then case when _part[3] is null then _low else _max end
                              when _part[2] ~ '^[0-9]+$' then _part[2]::integer
                              else array_position(_names, _part[2]) + _min - 1 end;
                -- Sunday also ends a week.
                if _field = 'day of week' and _part[2] is not null and _high = 0 and _low > 0 then
                    _high := 7;
                end if;
            end if;
            if _low is null or _high is null then
                _problem := format('"%s" is no name that is known here', case when _low is null then _part[1] else _part[2] end);
            elsif _low < _min or greatest(_low, _high) > _max + (_field = 'day of week')::integer then
                _problem := format('it is not between %s and %s', _min, _max + (_field = 'day of week')::integer);
            elsif _low > _high then
                _problem := format('the range ends before it begins: write it as two, %s-%s,%s-%s', _part[1],
                                   coalesce(_names[_max - _min + 1], _max::text), coalesce(_names[1], _min::text), _part[2]);
            elsif _step < 1 or _step > _max - _min + 1 then
                _problem := format('a step is between 1 and %s', _max - _min + 1);
            end if;
        end if;
        if _problem is not null then
            raise exception using errcode = '22023',
                message = format('%s "%s" in "%s" is not valid: %s', _field, left(_item, 64), left(_expression, 128), _problem),
                hint = format('Example: %s.', _example);
        end if;
        for _value in _low .. _high by _step loop
            mask := overlay(mask placing '1' from (case when _field = 'day of week' then _value % 7 else _value - _min end) + 1 for 1);
        end loop;
    end loop;
end
$$;
comment on function internal.parse_field(text, text, text) is 'One field of a cron expression as a mask.';
