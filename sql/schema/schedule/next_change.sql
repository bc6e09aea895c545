-- internal.next_change(_zone, _after, _until)
-- The first instant in (_after, _until] at which the offset of the zone differs from that of _after; null if there is none.
create or replace function internal.next_change(_zone text, _after timestamptz, _until timestamptz) returns timestamptz
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _day constant interval := interval '24 hours';
    _offset interval;
    _low timestamptz := _after;
    _high timestamptz;
    _middle timestamptz;
begin
    if _zone in ('UTC', 'GMT', 'Etc/UTC') then
        return null;
    end if;
    _offset := (_after at time zone _zone) - (_after at time zone 'UTC');
    loop
        if _low >= _until then
            return null;
        end if;
        _high := least(_low + _day, _until);
        exit when (_high at time zone _zone) - (_high at time zone 'UTC') <> _offset;
        _low := _high;
    end loop;
    _low := date_trunc('second', _low);
    _high := date_trunc('second', _high);
    while _high - _low > interval '1 second' loop
        _middle := _low + make_interval(secs => floor(extract(epoch from _high - _low) / 2));
        if (_middle at time zone _zone) - (_middle at time zone 'UTC') <> _offset then
            _high := _middle;
        else
            _low := _middle;
        end if;
    end loop;
    return _high;
end
$$;
comment on function internal.next_change(text, timestamptz, timestamptz) is 'The next change of the offset of a zone.';
