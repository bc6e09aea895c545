-- internal.lease_end(_since, _end, _now, _lease)
-- The new end of a lease that counts from _since and lasts until _end, if it is renewed now.  The end never becomes earlier, with
-- one exception: a lease that counts from the future was given before the server's clock was set back, and would last too long.
-- One second is allowed for callers who have read the clock a moment ago.
create or replace function internal.lease_end(_since timestamptz, _end timestamptz, _now timestamptz, _lease interval)
    returns timestamptz
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _since > _now + interval '1 second' then
        return _now + _lease;
    end if;
    return greatest(_end, _now + _lease);
end
$$;
comment on function internal.lease_end(timestamptz, timestamptz, timestamptz, interval) is 'The end of a lease that is renewed.';
