begin;
select plan(19);
create function pg_temp.says(_from text, _to text, _subject text, _html text) returns text language sql
as $$ select validation_failure_message from comms.create_email_message(_from, _to, _subject, _html) $$;
select is(pg_temp.says(null, null, null, null), 'from_address_missing', 'the sender first');
select is(pg_temp.says(' ', 'b', 's', 'h'), 'from_address_missing', 'blank is missing');
select is(pg_temp.says('a', null, null, null), 'to_address_missing', 'then the recipient');
select is(pg_temp.says('a', E'\t\n', 's', 'h'), 'to_address_missing', 'of blanks only');
select is(pg_temp.says('a', 'b', null, null), 'subject_missing', 'then the subject');
select is(pg_temp.says('a', 'b', '', 'h'), 'subject_missing', 'an empty one');
select is(pg_temp.says('a', 'b', 's', null), 'html_missing', 'then the content');
select is(pg_temp.says('a', 'b', 's', '  '), 'html_missing', 'blank');
select is(pg_temp.says('a', 'b', 's', 'h'), 'to_address_invalid', 'an address has an @: the recipient''s first');
select is(pg_temp.says('a', 'b@x', 's', 'h'), 'from_address_invalid', 'then the sender''s');
select is(pg_temp.says('a@x', E'b@x\r\nBcc: c@x', 's', 'h'), 'to_address_invalid', 'no line ends in the recipient');
select is(pg_temp.says(E'a@x\n', 'b@x', 's', 'h'), 'from_address_invalid', 'nor in the sender');
select is(pg_temp.says('a@x', E'b\u007f@x', 's', 'h'), 'to_address_invalid', 'nor another control character');
select is(pg_temp.says('a@x', E'b\u0085@x', 's', 'h'), 'to_address_invalid', 'nor one of the second range');
select is((select count(*) from comms.message), 0::bigint, 'nothing was written');
select is((select created_message_id from comms.create_email_message('a', 'b', 's', 'h')), null, 'and there is no id');
select created_message_id as id from comms.create_email_message('ä@exämple.org', 'Bob <b@x>', 'Grüße', '<p>h</p>') \gset
select is((select (m.channel, e.from_address, e.to_address, e.subject, e.html)::text from comms.message as m join comms.email_message as e using (message_id)
           where m.message_id = :id), '(email,ä@exämple.org,"Bob <b@x>",Grüße,<p>h</p>)', 'a good one is written as it is');
select ok(comms.message_exists(:id), 'and exists');
select ok(not comms.message_exists(:id + 1) and not comms.message_exists(null), 'others do not');
select * from finish();
rollback;
