-- internal.next_cron_slot(_cron, _zone, _after), internal.next_slot(_plan, _after)
-- The first slot after an instant; null if there is none.  A plan is followed for 50 years: dates without a slot must not make a search long.
-- An hour of * or */n follows real time: every instant counts at which the wall clock matches, in both copies of an hour.  Any
-- other hour is one of the wall clock: each time that matches comes once (internal.slot_at).
create or replace function internal.next_cron_slot(_cron internal.cron, _zone text, _after timestamptz) returns timestamptz
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _at timestamptz := date_trunc('second', _after);
    _local timestamp := _at at time zone _zone;
    _next timestamp;
    _slot timestamptz;
    _change timestamptz;
    _low timestamp;
    _high timestamp;
    _middle timestamp;
begin
    if not _cron.is_hourly then
        _next := internal.next_local(_cron, _local);
        _slot := internal.slot_at(_zone, _next);
        if _slot > _after or _next is null then
            return _slot;
        end if;
        -- The second copy of an hour: its times have come before.  Look for its end.
        _low := _next;
        _high := _next + interval '26 hours';
        while _high - _low > interval '1 second' loop
            _middle := _low + make_interval(secs => floor(extract(epoch from _high - _low) / 2));
            if internal.slot_at(_zone, _middle) > _after then
                _high := _middle;
            else
                _low := _middle;
            end if;
        end loop;
        return internal.slot_at(_zone, internal.next_local(_cron, _low));
    end if;
    loop
        _next := internal.next_local(_cron, _local);
        if _next is null then
            return null;
        end if;
        _slot := _at + make_interval(secs => extract(epoch from _next - _local));
        _change := internal.next_change(_zone, _at, _slot);
        if _change is null then
            return _slot;
        end if;
        -- The wall clock is set at _change: go on from there, by its new time.
        _at := _change;
        _local := _change at time zone _zone;
        if internal.next_local(_cron, _local - interval '1 second') = _local then
            return _change;
        end if;
    end loop;
end
$$;
comment on function internal.next_cron_slot(internal.cron, text, timestamptz) is 'The first slot of a cron expression after an instant.';

create or replace function internal.next_slot(_plan internal.plan, _after timestamptz) returns timestamptz
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _slot timestamptz := greatest(_after, _plan.starts_at - interval '1 microsecond');
    _last constant timestamptz := _slot + interval '50 years';
    _date date;
begin
    loop
        if _plan.every is not null then
            if _slot < _plan.anchor then
                _slot := _plan.anchor;
            else
                -- Whole microseconds: the last slot divides without a rest.
                _slot := _plan.anchor + _plan.every * ((extract(epoch from _slot - _plan.anchor) * 1000000)::bigint
                    / (extract(epoch from _plan.every) * 1000000)::bigint + 1)::double precision;
            end if;
        else
            _slot := internal.next_cron_slot(_plan.cron, _plan.zone, _slot);
        end if;
        if _slot is null or _slot > _plan.ends_at then
            return null;
        end if;
        exit when _plan.excluded is null;
        _date := (_slot at time zone _plan.zone)::date;
        exit when _date <> all(_plan.excluded);
        if _slot > _last then
            return null;
        end if;
        -- Skip the excluded day as a whole.
        _slot := internal.slot_at(_plan.zone, _date + 1) - interval '1 microsecond';
    end loop;
    return _slot;
end
$$;
comment on function internal.next_slot(internal.plan, timestamptz) is 'The first slot of a plan after an instant.';
