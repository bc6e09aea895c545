begin;
select plan(8);
select queues.set_test_clock('2030-01-01 09:00+00');
select test.start_email() as id \gset
select queues.simulate(test.email_task(), 'failed', null, 'one');
call worker.process_tasks(p_ahead => '5 seconds');
select queues.simulate(test.email_task(), 'failed', null, 'two');
call worker.process_tasks(p_ahead => '1 hour');
select is((select array_agg(error_message order by send_email_attempt_id) from comms.send_email_attempt_failed), array['one', 'two'], 'two failures');
select is((select count(*) from comms.send_email_attempt), 2::bigint, 'and no third attempt');
select is((select array_agg(status order by run_no) from queues.process_run), array['scheduled', 'scheduled', 'max_attempts_reached'], 'the last run says so');
select is((select array_agg(next_run_at order by run_no) from queues.process_run), array['2030-01-01 09:00:05+00', '2030-01-01 09:00:15+00', null]::timestamptz[], 'it looked again after 5 s and 10 s');
select is((select (state, end_reason)::text from queues.process_state), '(ended,max_attempts_reached)', 'and the end is a fact');
select is((select count(*) from queues.ready) + (select count(*) from queues.running), 0::bigint, 'nothing is open');
-- Once more it says the same and does nothing.
select is(comms.send_email_supervisor(jsonb_build_object('send_email_task_id', :id::bigint))->>'status', 'max_attempts_reached', 'by hand too');
select is((select count(*) from queues.ready), 0::bigint, 'nothing is enqueued');
select * from finish();
rollback;
