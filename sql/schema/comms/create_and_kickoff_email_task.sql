-- comms.create_and_kickoff_email_task(_from_address, _to_address, _subject, _html, _scheduled_at)
-- Writes down an e-mail and sends it, under supervision: both or nothing.
create or replace function comms.create_and_kickoff_email_task(_from_address text, _to_address text, _subject text, _html text,
        _scheduled_at timestamptz default now(), out validation_failure_message text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _message record;
begin
    _message := comms.create_email_message(_from_address, _to_address, _subject, _html);
    validation_failure_message := _message.validation_failure_message;
    if validation_failure_message is null then
        perform comms.start_send_email_task(_message.created_message_id, _scheduled_at);
    end if;
end
$$;
comment on function comms.create_and_kickoff_email_task(text, text, text, text, timestamptz) is
    'Writes down an e-mail and sends it under supervision.';
