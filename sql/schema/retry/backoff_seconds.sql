-- internal.backoff_seconds(_what, _value)
-- One wait of a policy in seconds: a JSON number, or the text of an interval.  _what names it in errors.  It is rounded to
-- microseconds, because a number that is too small for a double precision would be an error when the task has failed.
create or replace function internal.backoff_seconds(_what text, _value jsonb) returns numeric
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _seconds numeric;
begin
    if jsonb_typeof(_value) = 'number' then
        _seconds := (_value#>>'{}')::numeric;
    elsif jsonb_typeof(_value) = 'string' then
        begin
            _seconds := extract(epoch from (_value#>>'{}')::interval)::numeric;
        exception when others then
            raise exception using errcode = '22023', message = format('%s "%s" is not an interval', _what, left(_value#>>'{}', 64));
        end;
    else
        raise exception using errcode = '22023', message = format('%s is a JSON %s, not seconds or an interval', _what, jsonb_typeof(_value));
    end if;
    if _seconds not between 0 and 2592000 then
        raise exception using errcode = '22023', message = format('%s %s s is not between 0 and 30 days', _what, left(_seconds::text, 64));
    end if;
    return trim_scale(round(_seconds, 6));
end
$$;
comment on function internal.backoff_seconds(text, jsonb) is 'One wait of a policy, in seconds.';
