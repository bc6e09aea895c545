-- What the provider is given, one success fact, and the end.
begin;
select plan(16);
select queues.set_test_clock('2030-01-01 09:00+00');
select test.start_sms() as id \gset
select test.sms_task() as task \gset
select is((select t.payload from queues.task as t where t.task_id = :task), jsonb_build_object('task_type', 'sms', 'send_sms_task_id', :id::bigint,
    'send_sms_attempt_id', (select send_sms_attempt_id from comms.send_sms_attempt), 'before_handler', 'comms.get_sms_payload',
    'success_handler', 'comms.record_sms_success', 'error_handler', 'comms.record_sms_failure'), 'the task names both ids and its handlers');
select is((select (task_type, queue)::text from queues.task where task_id = :task), '(sms,sms)', 'in the queue of its channel');
select test.lease(:task);
create temp table sent as select * from queues.begin_dispatch(test.worker(), :task, 1);
select is((select decision from sent), 'send', 'it may be sent');
select is((select request from sent), jsonb_build_object('message_id', (select message_id from comms.message), 'to_number', '+15558675310',
    'body', 'hi', 'idempotency_key',
    'send_sms/' || (select task_uuid from comms.send_sms_task)), 'with all that the provider needs');
select is((select idempotency_key from sent), 'send_sms/' || (select task_uuid from comms.send_sms_task), 'under the key of the send');
select is(queues.finish(test.worker(), :task, 1, 'succeeded', '{"message_id": "SMx", "status": "queued", "provider": "twilio"}'), 'completed', 'accepted');
select is((select (provider_id, created_at)::text from comms.send_sms_attempt_succeeded), '(SMx,"2030-01-01 09:00:00+00")', 'a success fact');
select is(queues.finish(test.worker(), :task, 1, 'succeeded', '{"message_id": "SMx", "status": "queued", "provider": "twilio"}'), 'duplicate', 'said again, it is a duplicate');
select is(comms.record_sms_success(jsonb_build_object('original_payload', (select t.payload from queues.task as t where t.task_id = :task),
          'worker_payload', '{"message_id": "other"}'::jsonb)), '{"status": "succeeded"}', 'the handler may run again');
select is((select array_agg(provider_id) from comms.send_sms_attempt_succeeded), array['SMx'], 'and changes nothing');
call worker.process_tasks();
select is(queues.clock(), '2030-01-01 09:00+00', 'the supervisor was woken: no time has passed');
select is((select array_agg(status order by run_no) from queues.process_run), array['scheduled', 'succeeded'], 'two runs');
select is((select facts from queues.process_run where run_no = 2),
          '{"has_success": true, "num_failures": 0, "num_attempts": 1, "num_scheduled": 1, "num_lost": 0, "num_in_doubt": 0}', 'with the facts that they saw');
select is((select end_reason from queues.process_state), 'succeeded', 'the process has ended');
select is((select count(*) from queues.ready) + (select count(*) from queues.running), 0::bigint, 'nothing is open');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
