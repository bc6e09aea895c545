-- comms.create_sms_message(_to_number, _body)
-- Writes down a text message.  What is wrong with it comes back as a word instead of an exception,
-- and then nothing is written.
create or replace function comms.create_sms_message(_to_number text, _body text,
        out validation_failure_message text, out created_message_id bigint)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _blank constant text := E' \t\n\r\f\x0b\u00a0';
begin
    perform internal.check_text('to_number', _to_number, 256), internal.check_text('body', _body, 16384);
    validation_failure_message := case
        when btrim(coalesce(_to_number, ''), _blank) = '' then 'to_number_missing'
        when btrim(coalesce(_body, ''), _blank) = '' then 'body_missing' end;
    if validation_failure_message is not null then
        return;
    end if;
    insert into comms.message (channel) values ('sms') returning message_id into created_message_id;
    insert into comms.sms_message (message_id, to_number, body) values (created_message_id, _to_number, _body);
end
$$;
comment on function comms.create_sms_message(text, text) is 'Writes down a text message; says what is wrong with it instead of raising.';
