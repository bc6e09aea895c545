-- internal.parse_when(_text, _zone)
-- The plan of an expression: a cron expression, or "every" and an interval.
create or replace function internal.parse_when(_text text, _zone text default null) returns internal.plan
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _plan internal.plan;
    _seconds numeric;
begin
    perform internal.check_text('expression', _text, 1024);
    _plan.zone := internal.check_zone(coalesce(_zone, internal.database_zone()));
    if lower(_text) ~ '^\s*@?every\s' then
        begin
            _plan.every := regexp_replace(_text, '^\s*@?every\s+', '', 'i')::interval;
        exception when data_exception then
            raise exception using errcode = '22023', message = format('interval of "%s" is not valid', left(_text, 128)),
                hint = 'Example: every 90 seconds.';
        end;
        if extract(year from _plan.every) <> 0 or extract(month from _plan.every) <> 0 then
            raise exception using errcode = '22023', message = format('interval of "%s" has months or years, which differ in length', left(_text, 128)),
                hint = 'Give days, hours, minutes or seconds (every 90 seconds), or a cron expression ("0 6 1 * *" is 06:00 on the 1st of each month).';
        end if;
        _seconds := extract(epoch from _plan.every);
        if _seconds < 1 or _seconds > 86400 * 3660.0 then
            raise exception using errcode = '22023', message = format('interval of "%s" is not between 1 second and 10 years', left(_text, 128)),
                hint = 'Example: every 90 seconds.';
        end if;
        _plan.every := make_interval(secs => _seconds::double precision); -- real time, without days of 23 or 25 hours
    else
        _plan.cron := internal.parse_cron(_text);
    end if;
    return _plan;
end
$$;
comment on function internal.parse_when(text, text) is 'The plan of an expression.';
