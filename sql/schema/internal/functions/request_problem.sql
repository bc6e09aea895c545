-- internal.request_problem(_adapter, _request)
-- Which field of a request is missing or of the wrong type, or null.
create or replace function internal.request_problem(_adapter text, _request jsonb) returns text
    language sql immutable
    set search_path = pg_catalog, pg_temp
as $$
    select format('%s payload: missing "%s"', _adapter, f.field)
    from unnest(case _adapter
        when 'email' then array['from_address', 'to_address', 'subject', 'html']
        when 'sms' then array['to_number', 'body']
        when 'file_delete' then array['file_id']
        when 'http' then array['url'] else '{}' end) with ordinality as f(field, n)
    where coalesce(_request->>f.field, '') = ''
    order by f.n limit 1
$$;
comment on function internal.request_problem(text, jsonb) is 'The first missing field of a request.';
