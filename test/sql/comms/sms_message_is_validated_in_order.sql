begin;
select plan(7);
create function pg_temp.says(_to text, _body text) returns text language sql
as $$ select validation_failure_message from comms.create_sms_message(_to, _body) $$;
select is(pg_temp.says(null, null), 'to_number_missing', 'the number first');
select is(pg_temp.says('  ', 'b'), 'to_number_missing', 'blank is missing');
select is(pg_temp.says('+1', null), 'body_missing', 'then the text');
select is(pg_temp.says('+1', ' '), 'body_missing', 'blank is missing');
select is((select count(*) from comms.message), 0::bigint, 'nothing was written');
select created_message_id as id from comms.create_sms_message('+15558675310', 'hi') \gset
select is((select (m.channel, s.to_number, s.body)::text from comms.message as m join comms.sms_message as s using (message_id)), '(sms,+15558675310,hi)', 'a good one');
select ok(comms.message_exists(:id), 'exists');
select * from finish();
rollback;
