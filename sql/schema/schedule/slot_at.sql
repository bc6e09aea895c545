-- internal.zone_offset(_zone, _at), internal.slot_at(_zone, _local)
-- The offset of a zone at an instant; and the instant of a time of the wall clock.  A time that comes twice is the first of the two.
-- A time that does not come is the first moment after the gap ("at time zone" maps 02:30 to 03:30).
create or replace function internal.zone_offset(_zone text, _at timestamptz) returns interval
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return (_at at time zone _zone) - (_at at time zone 'UTC');
end
$$;
comment on function internal.zone_offset(text, timestamptz) is 'The offset of a zone at an instant.';

create or replace function internal.slot_at(_zone text, _local timestamp) returns timestamptz
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _at timestamptz := _local at time zone _zone;
    _shown constant timestamp := _at at time zone _zone;
    _probe interval;
    _earlier timestamptz;
    _low timestamptz;
    _middle timestamptz;
begin
    if _shown = _local then
        -- If the clock was set back shortly before, the older offset gives the first of two.
        foreach _probe in array array[interval '3 hours', interval '26 hours'] loop
            _earlier := (_local at time zone 'UTC') - internal.zone_offset(_zone, _at - _probe);
            if _earlier < _at and (_earlier at time zone _zone) = _local then
                _at := _earlier;
            end if;
        end loop;
        return _at;
    end if;
    -- The gap is as long as the difference, and it began at most that long before.
    _low := _at - make_interval(secs => extract(epoch from _shown - _local));
    while _at - _low > interval '1 second' loop
        _middle := _low + make_interval(secs => floor(extract(epoch from _at - _low) / 2));
        if (_middle at time zone _zone) > _local then
            _at := _middle;
        else
            _low := _middle;
        end if;
    end loop;
    return _at;
end
$$;
comment on function internal.slot_at(text, timestamp) is 'The instant of a time of the wall clock.';
