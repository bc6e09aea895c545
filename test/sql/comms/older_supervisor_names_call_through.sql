begin;
select plan(6);
select queues.set_test_clock();
select created_message_id as message from comms.create_email_message('a@x', 'b@x', 's', 'h') \gset
insert into comms.send_email_task (message_id) values (:message) returning send_email_task_id as id \gset
select test.enqueue('comms.email_send_supervisor', jsonb_build_object('send_email_task_id', :id::bigint));
call worker.process_tasks();
select is((select count(*) from comms.send_email_attempt), 1::bigint, 'an attempt is made');
select is((select t.payload->>'db_function' from queues.ready as r join queues.task as t using (task_id) where r.is_supervisor_run), 'comms.send_email_supervisor', 'the next run has the newer name');
select is(test.end_reason('comms.email_send_supervisor', jsonb_build_object('send_email_task_id', :id::bigint)), 'scheduled', 'the older one has done its part');
select queues.simulate(test.email_task());
call worker.process_tasks();
select is(test.end_reason('comms.send_email_supervisor', jsonb_build_object('send_email_task_id', :id::bigint)), 'succeeded', 'and the newer one ends it');
select is(comms.sms_send_supervisor('{}')->>'status', 'missing_send_sms_task_id', 'the same for text messages');
select is((select string_agg(function_name, ',' order by function_name) from internal.allowed_function where kind = 'supervisor' and function_name like 'comms.%'),
          'comms.email_send_supervisor,comms.send_email_supervisor,comms.send_sms_supervisor,comms.sms_send_supervisor', 'all are registered');
select * from finish();
rollback;
