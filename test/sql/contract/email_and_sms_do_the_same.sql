-- E-mail and SMS have tables and functions of their own, under published names.  Their texts are the same but for the channel's
-- word; a function that differs on purpose is listed with its reason.
begin;
select plan(3);
create temp view twin as
select e.proname as email, s.proname as sms,
       regexp_replace(replace(replace(e.prosrc, 'email', 'sms'), 'e-mail', 'SMS'), '\s+', ' ', 'g') as email_text,
       regexp_replace(s.prosrc, '\s+', ' ', 'g') as sms_text
from pg_proc as e
join pg_proc as s on s.pronamespace = e.pronamespace and s.proname = replace(e.proname, 'email', 'sms')
where e.pronamespace = 'comms'::regnamespace and e.proname like '%email%';
create temp table differs (email text, reason text);
insert into differs values
    ('create_and_kickoff_email_task', 'an e-mail has a sender, a subject and HTML'),
    ('create_email_message', 'an e-mail has a sender, a subject and HTML'),
    ('get_email_payload', 'an e-mail has a sender, a subject and HTML'),
    ('render_email_template', 'an e-mail template has a subject'),
    ('record_email_success', 'the result of an SMS names its id message_id, that of an e-mail id');
select cmp_ok((select count(*) from twin), '>=', 17::bigint, 'the pairs are found');
select is_empty($$select t.email, t.sms from twin as t where t.email_text <> t.sms_text and t.email not in (select d.email from differs as d)$$,
    'a pair that differs is listed: change both functions, or say here why one is different');
select is_empty($$select d.email from differs as d where not exists (select 1 from twin as t where t.email = d.email and t.email_text <> t.sms_text)$$,
    'what is listed does differ');
select * from finish();
rollback;
