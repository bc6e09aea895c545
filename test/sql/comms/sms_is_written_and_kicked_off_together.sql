begin;
select plan(5);
select is(comms.create_and_kickoff_sms_task('+1', ' '), 'body_missing', 'says what is wrong');
select is((select count(*) from comms.message) + (select count(*) from queues.task), 0::bigint, 'and writes nothing');
select is(comms.create_and_kickoff_sms_task('+1', 'b', now() + interval '1 day'), null, 'nothing is wrong');
select is((select count(*) from comms.send_sms_task as t join comms.sms_message as m using (message_id)), 1::bigint, 'message and task');
select is((select scheduled_at from queues.task), now() + interval '1 day', 'for its time');
select * from finish();
rollback;
