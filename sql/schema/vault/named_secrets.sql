-- internal.named_secrets(_request)
-- The secrets that a request of an http task names, with the use of each.
create or replace function internal.named_secrets(_request jsonb) returns table (name text, use text)
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return query
        select n #>> '{}', 'header' from jsonb_path_query(_request, 'lax $.secret_headers.*.secret') as n where jsonb_typeof(n) = 'string'
        union
        select n #>> '{}', 'sign' from jsonb_path_query(_request, 'lax $.sign.secret') as n where jsonb_typeof(n) = 'string';
end
$$;
comment on function internal.named_secrets(jsonb) is 'Secrets that a request names.';
