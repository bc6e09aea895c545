-- internal.handler_destination(_adapter, _request)
-- Destination of a call that its before handler has built: the host of an HTTP request; null for calls that go to a provider.
create or replace function internal.handler_destination(_adapter text, _request jsonb) returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return case when _adapter = 'http' then internal.request_destination(_request) end;
end
$$;
comment on function internal.handler_destination(text, jsonb) is 'Destination of a call that its before handler has built.';
