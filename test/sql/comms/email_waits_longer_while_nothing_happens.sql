-- Nobody carries the e-mail out: three waits as documented, then longer ones, and no end.
begin;
select plan(6);
select queues.set_test_clock('2030-01-01 09:00+00');
select test.start_email();
call worker.process_tasks(p_batch_size => 7, p_ahead => '1 day');
select is((select array_agg(extract(epoch from next_run_at - ran_at)::integer order by run_no) from queues.process_run),
          array[5, 5, 5, 5, 5, 10, 20, 40], 'from the fourth quiet run on the wait doubles');
call worker.process_tasks(p_batch_size => 40, p_ahead => '30 days');
select is((select max(next_run_at - ran_at) from queues.process_run), interval '15 minutes', 'up to a quarter of an hour');
select is((select count(*) from comms.send_email_attempt), 1::bigint, 'there is one attempt all the time');
select is((select (state, idle_runs)::text from queues.process_state), '(live,0)', 'waiting for it is no idleness');
-- It is refused at last: the next look comes after five seconds, not after a quarter of an hour.
select queues.simulate(test.email_task(), 'failed', null, 'late');
select is((select min(available_at) from queues.ready) - queues.clock(), interval '5 seconds', 'a failure wakes the supervisor in time');
call worker.process_tasks(p_batch_size => 1, p_ahead => '5 seconds');
select is((select extract(epoch from next_run_at - ran_at)::integer from queues.process_run order by run_no desc limit 1), 10, 'and the waits begin anew');
select * from finish();
rollback;
