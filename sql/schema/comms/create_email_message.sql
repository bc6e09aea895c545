-- comms.create_email_message(_from_address, _to_address, _subject, _html)
-- Writes down an e-mail.  What is wrong with it comes back as a word instead of an exception, and
-- then nothing is written.
create or replace function comms.create_email_message(_from_address text, _to_address text, _subject text, _html text,
        out validation_failure_message text, out created_message_id bigint)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _blank constant text := E' \t\n\r\f\x0b\u00a0';
    _control constant text := '[\u0001-\u001f\u007f-\u009f]';
begin
    perform internal.check_text('from_address', _from_address, 1024), internal.check_text('to_address', _to_address, 1024),
            internal.check_text('subject', _subject, 4096), internal.check_text('html', _html, 4194304);
    validation_failure_message := case
        when btrim(coalesce(_from_address, ''), _blank) = '' then 'from_address_missing'
        when btrim(coalesce(_to_address, ''), _blank) = '' then 'to_address_missing'
        when btrim(coalesce(_subject, ''), _blank) = '' then 'subject_missing'
        when btrim(coalesce(_html, ''), _blank) = '' then 'html_missing'
        when strpos(_to_address, '@') = 0 or _to_address ~ _control then 'to_address_invalid'
        when strpos(_from_address, '@') = 0 or _from_address ~ _control then 'from_address_invalid' end;
    if validation_failure_message is not null then
        return;
    end if;
    insert into comms.message (channel) values ('email') returning message_id into created_message_id;
    insert into comms.email_message (message_id, from_address, to_address, subject, html)
    values (created_message_id, _from_address, _to_address, _subject, _html);
end
$$;
comment on function comms.create_email_message(text, text, text, text) is 'Writes down an e-mail; says what is wrong with it instead of raising.';
