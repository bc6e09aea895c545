-- internal.call_destination(_adapter, _payload)
-- The destination of the call of a task: the provider of the worker for a channel, or the host of the request in the payload.
-- Null: none, or only the before handler will know it.
create or replace function internal.call_destination(_adapter text, _payload jsonb) returns text
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return case when _adapter in ('email', 'sms', 'file_delete') then '/' || _adapter
                when _adapter = 'http' and not _payload ? 'before_handler'
                    then internal.request_destination(_payload->'request') end;
end
$$;
comment on function internal.call_destination(text, jsonb) is 'Destination of a call; null: none, or not known yet.';
