-- comms.start_send_sms_task(_message_id, _scheduled_at)
-- The root row of a logical send and the first run of its supervisor; nothing if the message has
-- one already.  Two sessions that start the same one wait for each other at the unique key.
create or replace function comms.start_send_sms_task(_message_id bigint, _scheduled_at timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id bigint;
begin
    insert into comms.send_sms_task (message_id, created_at) values (_message_id, queues.clock())
    on conflict (message_id) do nothing
    returning send_sms_task_id into _id;
    if _id is not null then
        perform queues.enqueue('db_function', jsonb_build_object('task_type', 'db_function',
            'db_function', 'comms.send_sms_supervisor', 'send_sms_task_id', _id), _scheduled_at);
    end if;
end
$$;
comment on function comms.start_send_sms_task(bigint, timestamptz) is 'Starts the supervised send of a text message, once per message.';
