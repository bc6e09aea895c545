-- internal.call_destination(_adapter, _payload)
-- Where the call of a task goes: the provider that the worker has for a channel, or the host of a request that stands
-- in the payload.  Null: nowhere, or it is known only when a before handler has said so.
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
comment on function internal.call_destination(text, jsonb) is 'Destination of a call, as far as its task tells.';
