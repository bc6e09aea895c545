-- comms.create_and_kickoff_sms_task(_to_number, _body, _scheduled_at)
-- Writes down a text message and sends it, under supervision: both or nothing.
create or replace function comms.create_and_kickoff_sms_task(_to_number text, _body text,
        _scheduled_at timestamptz default now(), out validation_failure_message text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _message record;
begin
    _message := comms.create_sms_message(_to_number, _body);
    validation_failure_message := _message.validation_failure_message;
    if validation_failure_message is null then
        perform comms.start_send_sms_task(_message.created_message_id, _scheduled_at);
    end if;
end
$$;
comment on function comms.create_and_kickoff_sms_task(text, text, timestamptz) is
    'Writes down a text message and sends it under supervision.';
