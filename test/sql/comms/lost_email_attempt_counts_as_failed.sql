-- Its task ended without an outcome of the attempt: by an operator, by too many crashes, or it is gone.
begin;
select plan(13);
select queues.set_test_clock('2030-01-01 09:00+00');
select test.start_email() as id \gset
select test.email_task() as first \gset
select queues.cancel_task(:first, 'wrong address');
call worker.process_tasks(p_ahead => '5 seconds');
select is((select (error_message, in_doubt, error_class)::text from comms.send_email_attempt_failed), format('("attempt lost: task %s ended as cancelled",f,)', :first), 'cancelled before it was sent');
select is((select (status, facts->>'num_lost', facts->>'num_failures')::text from queues.process_run where run_no = 2), '(scheduled,0,1)', 'the run goes on with the facts read again');
select test.email_task() as second \gset
select isnt(:second, :first, 'with a second attempt');
-- The second is dispatched, and dies with its worker.
select test.dispatch(:second);
select internal.complete_running(r, 'quarantined', 'quarantined', null, null) from queues.running as r where r.task_id = :second;
call worker.process_tasks(p_ahead => '10 seconds');
select is((select (f.error_message, f.in_doubt, f.error_class)::text from comms.send_email_attempt_failed as f order by f.send_email_attempt_id desc limit 1),
          format('("attempt lost: task %s ended as quarantined",t,in_doubt)', :second), 'one that was dispatched is in doubt');
select is((select end_reason from queues.process_state), 'max_attempts_reached', 'both attempts count');
select is(comms.record_lost_email_attempts(:id), 0, 'nothing is lost twice');

select test.start_email() as other \gset
select test.unguard('comms.send_email_attempt');
update comms.send_email_attempt set task_id = 0 where send_email_task_id = :other;
select is(comms.record_lost_email_attempts(:other), 1, 'a task may have been removed');
select is((select f.error_message from comms.send_email_attempt_failed as f order by f.send_email_attempt_id desc limit 1), 'attempt lost: task 0 is gone', 'which says so');
select is((select f.in_doubt from comms.send_email_attempt_failed as f order by f.send_email_attempt_id desc limit 1), true, 'and nobody knows what it did');

select test.start_email() as third \gset
select is(comms.record_lost_email_attempts(:third), 0, 'an attempt that is out is not lost');
select queues.simulate(test.email_task(), 'succeeded', '{"id": "x"}');
select is(comms.record_lost_email_attempts(:third), 0, 'nor one that has its outcome');
select is((select count(*) from comms.send_email_attempt_failed as f join comms.send_email_attempt as a using (send_email_attempt_id) where a.send_email_task_id = :third), 0::bigint, 'it has no other');
select is((select count(*) from comms.send_email_attempt_succeeded as s join comms.send_email_attempt_failed as f using (send_email_attempt_id)), 0::bigint, 'no attempt has two outcomes');
select * from finish();
rollback;
