-- A refusal in the provider's own words, a second attempt under the same key, three runs.
begin;
select plan(15);
select queues.set_test_clock('2030-01-01 09:00+00');
select test.start_sms();
select test.sms_task() as first \gset
select is(queues.simulate(:first, 'failed', null, 'twilio API error (status 400): 21211: m'), 'completed', 'the provider refuses');
select is((select error_message from queues.error where task_id = :first), 'twilio API error (status 400): 21211: m', 'an error fact');
select is((select (error_message, in_doubt)::text from comms.send_sms_attempt_failed), '("twilio API error (status 400): 21211: m",f)', 'and a failure fact');
select is(test.outcome(:first), 'failed', 'its task has failed');
call worker.process_tasks();
select is((select count(*) from comms.send_sms_attempt), 1::bigint, 'nothing happens before its time');
call worker.process_tasks(p_ahead => '5 seconds');
select is(queues.clock(), '2030-01-01 09:00:05+00', 'after five seconds the supervisor looks');
select test.sms_task() as second \gset
select isnt(:second, :first, 'and makes a second attempt');
select is((select created_at from comms.send_sms_attempt order by send_sms_attempt_id desc limit 1), '2030-01-01 09:00:05+00', 'at once');
select is(queues.simulate(:second, 'succeeded', '{"message_id": "SMx", "status": "queued", "provider": "twilio"}'), 'completed', 'which is accepted');
select is((select count(distinct idempotency_key) from queues.task_dispatched), 1::bigint, 'both had the same key');
call worker.process_tasks();
select is((select array_agg(status order by run_no) from queues.process_run), array['scheduled', 'scheduled', 'succeeded'], 'three runs');
select is((select end_reason from queues.process_state), 'succeeded', 'the process has ended');
select is((select count(*) from comms.send_sms_attempt_failed) + (select count(*) from comms.send_sms_attempt_succeeded), 2::bigint, 'each attempt has one outcome');
select is((select count(*) from queues.ready) + (select count(*) from queues.running), 0::bigint, 'nothing is open');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
