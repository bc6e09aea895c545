-- internal.bounded(_value)
-- A result as it is stored: at most 64 KiB of text.
create or replace function internal.bounded(_value jsonb) returns jsonb
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _value is null or octet_length(_value::text) <= 65536 then
        return _value;
    end if;
    return jsonb_build_object('truncated', true, 'text', left(_value::text, 16384));
end
$$;
comment on function internal.bounded(jsonb) is 'A result, cut to the stored size.';
