-- internal.count_times(_cron, _until), internal.count_local(_cron, _after, _until), internal.count_slots(_plan, _after, _until)
-- Numbers of matches, without a step for each: times of one day up to a second of the day; times of the wall clock in
-- (_after, _until]; slots of a plan in (_after, _until].
create or replace function internal.count_times(_cron internal.cron, _until time) returns bigint
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _hour constant integer := extract(hour from _until);
    _minute constant integer := extract(minute from _until);
    _second constant integer := floor(extract(second from _until));
    _seconds constant bigint := length(replace(_cron.seconds, '0', ''));
    _minutes constant bigint := length(replace(_cron.minutes, '0', ''));
begin
    return length(replace(left(_cron.hours, _hour), '0', '')) * _minutes * _seconds
        + case when substr(_cron.hours, _hour + 1, 1) = '1' then
              length(replace(left(_cron.minutes, _minute), '0', '')) * _seconds
              + case when substr(_cron.minutes, _minute + 1, 1) = '1'
                     then length(replace(left(_cron.seconds, _second + 1), '0', '')) else 0 end
          else 0 end;
end
$$;
comment on function internal.count_times(internal.cron, time) is 'Matches of one day up to a time.';

create or replace function internal.count_local(_cron internal.cron, _after timestamp, _until timestamp) returns bigint
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _last constant date := _until::date;
    _date date := internal.next_day(_cron, _after::date);
    _whole constant bigint := internal.count_times(_cron, time '23:59:59');
    _count bigint := 0;
begin
    while _date <= _last loop
        _count := _count + case when _date = _last then internal.count_times(_cron, _until::time) else _whole end;
        if _date = _after::date then
            _count := _count - internal.count_times(_cron, _after::time);
        end if;
        _date := internal.next_day(_cron, _date + 1);
    end loop;
    return _count;
end
$$;
comment on function internal.count_local(internal.cron, timestamp, timestamp) is 'Matches of the wall clock in a span.';

create or replace function internal.count_cron_slots(_cron internal.cron, _zone text, _after timestamptz, _until timestamptz) returns bigint
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _from timestamptz := _after;
    _local timestamp := _after at time zone _zone;
    _end timestamp;
    _before timestamp;
    _change timestamptz;
    _count bigint := 0;
    _in_gap bigint;
begin
    if _until <= _after then
        return 0;
    end if;
    -- In the second copy of an hour, times of the wall clock have come before.
    if not _cron.is_hourly and internal.slot_at(_zone, _local) < date_trunc('second', _after) then
        _change := internal.next_cron_slot(_cron, _zone, _after);
        if _change is null or _change > _until then
            return 0;
        end if;
        _from := _change;
        _local := _change at time zone _zone;
        _count := 1;
    end if;
    loop
        _change := internal.next_change(_zone, _from, _until);
        exit when _change is null;
        _before := ((_change - interval '1 second') at time zone _zone) + interval '1 second'; -- the wall clock before it is set
        _end := _change at time zone _zone;
        _count := _count + internal.count_local(_cron, _local, _before - interval '1 second');
        if _cron.is_hourly then
            _local := _end - interval '1 second';
        elsif _end > _before then
            -- All times of the gap and its end are one slot.
            _in_gap := internal.count_local(_cron, _before - interval '1 second', _end);
            _count := _count + least(_in_gap, 1);
            _local := _end;
        else
            -- The wall clock was set back: nothing is new until it has caught up.
            _from := _change + (_before - _end);
            _local := _before - interval '1 second';
            if _from > _until then
                return _count;
            end if;
            continue;
        end if;
        _from := _change;
    end loop;
    return _count + internal.count_local(_cron, _local, _until at time zone _zone);
end
$$;
comment on function internal.count_cron_slots(internal.cron, text, timestamptz, timestamptz) is 'Slots of a cron expression in a span.';

create or replace function internal.count_slots(_plan internal.plan, _after timestamptz, _until timestamptz) returns bigint
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _from timestamptz := greatest(_after, _plan.starts_at - interval '1 microsecond');
    _to constant timestamptz := least(_until, _plan.ends_at);
    _count bigint;
    _date date;
begin
    if _to <= _from then
        return 0;
    end if;
    if _plan.every is not null then
        _count := case when _to < _plan.anchor then 0
                       else (extract(epoch from _to - _plan.anchor) * 1000000)::bigint / (extract(epoch from _plan.every) * 1000000)::bigint + 1 end
            - case when _from < _plan.anchor then 0
                   else (extract(epoch from _from - _plan.anchor) * 1000000)::bigint / (extract(epoch from _plan.every) * 1000000)::bigint + 1 end;
    else
        _count := internal.count_cron_slots(_plan.cron, _plan.zone, _from, _to);
    end if;
    if _plan.excluded is not null then
        foreach _date in array _plan.excluded loop
            continue when _date < (_from at time zone _plan.zone)::date or _date > (_to at time zone _plan.zone)::date;
            _count := _count - internal.count_slots(row(_plan.cron, _plan.every, _plan.anchor, _plan.zone, _plan.starts_at, _plan.ends_at,
                                                        null)::internal.plan,
                greatest(_from, internal.slot_at(_plan.zone, _date) - interval '1 microsecond'),
                least(_to, internal.slot_at(_plan.zone, _date + 1) - interval '1 microsecond'));
        end loop;
    end if;
    return _count;
end
$$;
comment on function internal.count_slots(internal.plan, timestamptz, timestamptz) is 'Slots of a plan in a span.';
