begin;
select plan(8);
select queues.set_test_clock('2030-01-01 09:00+00');
select test.start_email() as id \gset
select queues.simulate(test.email_task(), 'failed', null, 'e');
call worker.process_tasks(p_ahead => '5 seconds');
select queues.simulate(test.email_task(), 'succeeded', '{"id": "p"}');
select is((select count(*) from comms.send_email_task_scheduled where send_email_task_id = :id), 2::bigint, 'scheduled: attempts');
select is((select error_message from comms.send_email_task_failed where send_email_task_id = :id), 'e', 'failed: with the error');
select is((select (provider_id, created_at)::text from comms.send_email_task_succeeded where send_email_task_id = :id), '(p,"2030-01-01 09:00:05+00")', 'succeeded: with its time');
select test.start_sms() as sms \gset
select queues.simulate(test.sms_task(), 'failed', null, 'e');
call worker.process_tasks(p_ahead => '5 seconds');
select queues.simulate(test.sms_task(), 'succeeded', '{"message_id": "SMx"}');
select is((select count(*) from comms.send_sms_task_scheduled where send_sms_task_id = :sms), 2::bigint, 'text messages: attempts');
select is((select error_message from comms.send_sms_task_failed where send_sms_task_id = :sms), 'e', 'text messages: the error');
select is((select provider_id from comms.send_sms_task_succeeded where send_sms_task_id = :sms), 'SMx', 'text messages: the provider''s id');
select throws_ok('insert into comms.send_email_task_failed (send_email_task_id) values (1)', '55000', null, 'they are read-only');
select is(test.sqlstate_as('queues_observer', 'select * from comms.send_email_task_failed'), '00000', 'for observers too');
select * from finish();
rollback;
