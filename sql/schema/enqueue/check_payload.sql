-- internal.check_payload(_payload, _max_bytes)
-- Refuses a payload that is not an object, too large or too deep.
create or replace function internal.check_payload(_payload jsonb, _max_bytes integer) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if jsonb_typeof(_payload) <> 'object' then
        raise exception using errcode = '22023', message = 'payload must be a JSON object',
            detail = format('It is of type %s.', jsonb_typeof(_payload));
    end if;
    if octet_length(_payload::text) > _max_bytes then
        raise exception using errcode = '54000',
            message = format('payload of %s bytes is over the limit of %s bytes', octet_length(_payload::text), _max_bytes),
            hint = 'Store the data in a table and put its id into the payload, or raise max_payload_bytes with internal.set_config.';
    end if;
    -- A level costs at least eight bytes, so a small payload cannot be deep.
    if pg_column_size(_payload) > 500 and jsonb_path_exists(_payload, 'strict $.**{64}') then
        raise exception using errcode = '54000', message = 'payload is nested deeper than 64 levels';
    end if;
end
$$;
comment on function internal.check_payload(jsonb, integer) is 'Refuses a payload that is not an object, too large or too deep.';
