-- internal.request_destination(_request)
-- The destination of a request: host and port of its URL, or the name of its base.
create or replace function internal.request_destination(_request jsonb) returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return case when _request->>'base' = 'consumer_edge_base' then '/'
                when _request ? 'base' then '//' || left(_request->>'base', 256)
                else internal.job_host(_request->>'url') end;
end
$$;
comment on function internal.request_destination(jsonb) is 'Destination of a request.';
