begin;
select plan(5);
select is(comms.create_and_kickoff_email_task('a@x', 'b@x', '', 'h'), 'subject_missing', 'says what is wrong');
select is((select count(*) from comms.message) + (select count(*) from queues.task), 0::bigint, 'and writes nothing');
select is(comms.create_and_kickoff_email_task('a@x', 'b@x', 's', 'h', now() + interval '1 day'), null, 'nothing is wrong');
select is((select count(*) from comms.send_email_task as t join comms.email_message as m using (message_id)), 1::bigint, 'message and task');
select is((select scheduled_at from queues.task), now() + interval '1 day', 'for its time');
select * from finish();
rollback;
