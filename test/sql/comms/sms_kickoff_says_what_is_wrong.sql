begin;
select plan(12);
select created_message_id as id from comms.create_sms_message('+1', 'b') \gset
select created_message_id as other from comms.create_email_message('a@x', 'b@x', 's', 'h') \gset
select is(comms.kickoff_send_sms_task(null), 'missing_message_id', 'no id');
select is(comms.kickoff_send_sms_task(0), 'message_not_found', 'no message');
select is(comms.kickoff_send_sms_task(:other), 'wrong_channel', 'an e-mail');
select is((select count(*) from comms.send_sms_task) + (select count(*) from queues.task), 0::bigint, 'nothing was written');
select throws_ok(format('select comms.kickoff_send_sms_task(%s, ''infinity'')', :id), '22008', null, 'a time must be finite');
select is(comms.kickoff_send_sms_task(:id, now() + interval '1 hour'), null, 'nothing is wrong');
select is((select payload from queues.task), jsonb_build_object('task_type', 'db_function', 'db_function', 'comms.send_sms_supervisor',
          'send_sms_task_id', (select send_sms_task_id from comms.send_sms_task)), 'the supervisor is enqueued with the id alone');
select is((select scheduled_at from queues.task), now() + interval '1 hour', 'for its time');
select is(comms.kickoff_send_sms_task(:id), null, 'a second call is no failure');
select is((select count(*) from comms.send_sms_task), 1::bigint, 'but makes no second task');
select is((select count(*) from queues.task), 1::bigint, 'and no second run');
select ok((select task_uuid is not null from comms.send_sms_task), 'the send has a random name');
select * from finish();
rollback;
