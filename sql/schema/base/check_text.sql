-- internal.check_text(_what, _value, _max)
-- Refuses a text that is longer than _max bytes.  Every text that comes in from outside has a bound.
create or replace function internal.check_text(_what text, _value text, _max integer) returns void
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if octet_length(_value) > _max then
        raise exception using errcode = '54000',
            message = format('%s of %s bytes is over the limit of %s bytes', _what, octet_length(_value), _max);
    end if;
end
$$;
comment on function internal.check_text(text, text, integer) is 'Refuses a text that is too long.';
