-- comms.kickoff_send_sms_task(_message_id, _scheduled_at)
-- Sends a text message, under supervision.  A second call for the same message does nothing.
create or replace function comms.kickoff_send_sms_task(_message_id bigint, _scheduled_at timestamptz default now(),
        out validation_failure_message text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _channel comms.channel;
begin
    if _message_id is null then
        validation_failure_message := 'missing_message_id';
        return;
    end if;
    select m.channel into _channel from comms.message as m where m.message_id = _message_id;
    if not found then
        validation_failure_message := 'message_not_found';
    elsif _channel <> 'sms' then
        validation_failure_message := 'wrong_channel';
    else
        perform comms.start_send_sms_task(_message_id, _scheduled_at);
    end if;
end
$$;
comment on function comms.kickoff_send_sms_task(bigint, timestamptz) is 'Sends a text message under supervision, once per message.';
