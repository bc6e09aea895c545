-- internal.retry_after(_header, _now)
-- The wait that a 429 asks for: seconds or a date, within 1 s and 24 h; 10 minutes if the header is missing or cannot be read.
create or replace function internal.retry_after(_header text, _now timestamptz) returns interval
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _text constant text := btrim(_header);
    _wait interval;
begin
    if _text ~ '^[+-]?[0-9]{1,18}$' then
        _wait := make_interval(secs => least(greatest(_text::bigint, 1), 86400));
    elsif _text ~* '^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? ' and length(_text) <= 64 then
        -- The three forms of an HTTP date; the last one has no zone, and means GMT.
        _wait := (case when _text ~ 'GMT$' then _text else _text || ' GMT' end)::timestamptz - _now;
    end if;
    return least(greatest(coalesce(_wait, interval '600 seconds'), interval '1 second'), interval '24 hours');
exception when others then
    return interval '600 seconds';
end
$$;
comment on function internal.retry_after(text, timestamptz) is 'Wait that a Retry-After header asks for.';
