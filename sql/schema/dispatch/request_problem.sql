-- internal.request_problem(_adapter, _request)
-- The first field of a request that is missing or of the wrong type, or null.
create or replace function internal.request_problem(_adapter text, _request jsonb) returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _field text;
begin
    foreach _field in array case _adapter
        when 'email' then array['from_address', 'to_address', 'subject', 'html']
        when 'sms' then array['to_number', 'body']
        when 'file_delete' then array['file_id']
        when 'http' then array['url'] else array[]::text[] end
    loop
        if coalesce(_request->>_field, '') = '' then
            return format('%s payload: missing "%s"', _adapter, _field);
        end if;
    end loop;
    if pg_column_size(_request) > 16777216 then
        return format('%s payload is over the limit of 16777216 bytes', _adapter);
    end if;
    return case when _adapter = 'http' then internal.request_bounds(_request) end;
end
$$;
comment on function internal.request_problem(text, jsonb) is 'The first missing field of a request.';
