-- internal.header_bounds(_what, _headers, _most, _max)
-- A message if there are more than _most headers, or if they take more than _max bytes; otherwise null.
create or replace function internal.header_bounds(_what text, _headers jsonb, _most integer, _max integer) returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    -- A huge object is not turned into text only to measure it.
    if pg_column_size(_headers) > _max * 4 or octet_length(_headers::text) > _max then
        return format('%s is over the limit of %s bytes', _what, _max);
    elsif jsonb_typeof(_headers) = 'object' and (select count(*) from jsonb_object_keys(_headers)) > _most then
        return format('%s has more than %s headers', _what, _most);
    end if;
    return null;
end
$$;
comment on function internal.header_bounds(text, jsonb, integer, integer) is 'Whether headers are too many or too large.';
