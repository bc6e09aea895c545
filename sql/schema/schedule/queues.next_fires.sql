-- queues.next_fires(_what, _count, _zone, _from), queues.describe_schedule(_what, _zone)
-- The next slots of a schedule, or of an expression that is not stored; and the expression in plain words.
create or replace function internal.plan_of(_what text, _zone text) returns internal.plan
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _plan internal.plan;
begin
    perform internal.check_text('name or expression', _what, 1024);
    select s.cron, s.every, s.anchor, case when _zone is null then s.zone else internal.check_zone(_zone) end, s.starts_at, s.ends_at, s.excluded into _plan
    from queues.schedule as s where s.schedule_name = _what;
    if not found then
        if _what ~ '^[A-Za-z0-9][A-Za-z0-9_.:/-]*$' then
            raise exception using errcode = 'P0002', message = format('schedule "%s" does not exist', left(_what, 128)),
                hint = 'Give the name of a schedule, or an expression such as "30 2 * * *" or "every 90 seconds".';
        end if;
        _plan := internal.parse_when(_what, _zone);
    end if;
    return _plan;
end
$$;
comment on function internal.plan_of(text, text) is 'The plan of a schedule or of an expression.';

create or replace function queues.next_fires(_what text, _count integer default 5, _zone text default null, _from timestamptz default null)
    returns table (scheduled_for timestamptz, local_time timestamp)
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _plan internal.plan := internal.plan_of(_what, _zone);
    _at timestamptz := coalesce(_from, queues.clock());
begin
    if _count is null or _count not between 1 and 10000 then
        raise exception using errcode = '22023', message = format('count %s is not between 1 and 10000', coalesce(_count::text, 'null'));
    end if;
    if not isfinite(_at) then
        raise exception using errcode = '22008', message = 'the first time must be finite';
    end if;
    _plan.anchor := coalesce(_plan.anchor, date_trunc('second', _at));
    for _i in 1 .. _count loop
        _at := internal.next_slot(_plan, _at);
        exit when _at is null;
        scheduled_for := _at;
        local_time := _at at time zone _plan.zone;
        return next;
    end loop;
end
$$;
comment on function queues.next_fires(text, integer, text, timestamptz) is 'The next slots of a schedule or of an expression.';

create or replace function queues.describe_schedule(_what text, _zone text default null) returns text
    language sql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
    select internal.cron_words(p.cron, p.every, p.zone) from internal.plan_of(_what, _zone) as p
$$;
comment on function queues.describe_schedule(text, text) is 'When a schedule or an expression fires, in plain words.';
