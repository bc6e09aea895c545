-- comms.message_exists(_message_id)
create or replace function comms.message_exists(_message_id bigint) returns boolean
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return exists (select 1 from comms.message as m where m.message_id = _message_id);
end
$$;
comment on function comms.message_exists(bigint) is 'Whether there is such a message.';
