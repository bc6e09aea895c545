begin;
select plan(13);
select queues.set_test_clock('2030-01-01 09:00+00');
-- retry, the default: the next attempt has the same key.
select test.start_email() as a \gset
select test.email_task() as first \gset
select is((select on_in_doubt from queues.task where task_id = :first), null, 'its task follows its type');
select queues.simulate(:first, 'in_doubt', null, 'no answer');
select is((select (error_message, in_doubt, error_class)::text from comms.send_email_attempt_failed), '("no answer",t,in_doubt)', 'the doubt is a fact');
call worker.process_tasks(p_ahead => '5 seconds');
select is((select status from queues.process_run order by run_no desc limit 1), 'scheduled', 'retry: it is tried again');
select queues.simulate(test.email_task());
select is((select count(distinct idempotency_key) from queues.task_dispatched), 1::bigint, 'with the same key');
call worker.process_tasks();
select is(test.end_reason('comms.send_email_supervisor', jsonb_build_object('send_email_task_id', :a::bigint)), 'succeeded', 'and ends well');
-- fail: never sent again.
select internal.set_config('comms_on_in_doubt', '"fail"');
select test.start_email() as b \gset
select test.email_task() as second \gset
select is((select on_in_doubt from queues.task where task_id = :second), 'fail', 'fail: the task itself is told');
select queues.simulate(:second, 'in_doubt', null, 'no answer');
select is(test.outcome(:second), 'in_doubt', 'and ends in doubt');
call worker.process_tasks(p_ahead => '1 hour');
select is(test.end_reason('comms.send_email_supervisor', jsonb_build_object('send_email_task_id', :b::bigint)), 'in_doubt', 'the process too');
select is((select count(*) from comms.send_email_attempt where send_email_task_id = :b), 1::bigint, 'without a second attempt');
-- A definite failure is tried again all the same.
select test.start_email() as c \gset
select queues.simulate(test.email_task(), 'failed', null, 'refused');
call worker.process_tasks(p_ahead => '5 seconds');
select is((select count(*) from comms.send_email_attempt where send_email_task_id = :c), 2::bigint, 'a definite failure is tried again');
-- A crash after the dispatch, with policy fail: the claim makes it handler-pending, never sends it.
select test.email_task() as third \gset
select test.dispatch(:third);
select test.expire(:third);
select test.take_back();
select is((select phase::text from queues.ready where task_id = :third), 'h', 'after a crash only the handler is left');
select is(queues.simulate(:third), 'completed', 'which is told');
select is((select f.in_doubt from comms.send_email_attempt_failed as f order by f.send_email_attempt_id desc limit 1), true, 'in doubt');
select * from finish();
rollback;
