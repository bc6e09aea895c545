-- internal.request_bounds(_request)
-- The problem of a request of an http task: a part that is too large, too many, or not allowed; null: none.
create or replace function internal.request_bounds(_request jsonb) returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _request ? 'base' then
        return 'http payload: "base" cannot be chosen';
    elsif octet_length(_request->>'url') > 8192 then
        return 'http payload: "url" is over the limit of 8192 bytes';
    elsif octet_length(_request->>'idempotency_key') > 256 then
        return 'http payload: "idempotency_key" is over the limit of 256 bytes';
    elsif octet_length(_request->>'sign') > 1024 then
        return 'http payload: "sign" is over the limit of 1024 bytes';
    end if;
    if _request ?| array['headers', 'secret_headers'] then
        return coalesce(internal.header_bounds('http payload: "headers"', _request->'headers', 50, 65536),
                        internal.header_bounds('http payload: "secret_headers"', _request->'secret_headers', 10, 8192));
    end if;
    return null;
end
$$;
comment on function internal.request_bounds(jsonb) is 'Which part of a request is over its limit.';
