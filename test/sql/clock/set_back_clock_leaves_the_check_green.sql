-- The server's clock is set back by an hour while work goes on: what happens later has an earlier time.
begin;
select plan(9);
select test.unguard(t::regclass) from unnest(array['queues.task_completed', 'queues.task_dispatched', 'queues.task_lease', 'queues.task_lease_ended']) as t;
select test.enqueue() as done, test.enqueue_email() as sent, test.enqueue() as again \gset
select test.run(:done), test.dispatch(:sent);
update queues.task_completed set completed_at = completed_at - interval '1 hour' where task_id = :done;
select is(test.violations(), '', 'a task that was completed before it was leased');
update queues.task_dispatched set dispatched_at = dispatched_at - interval '1 hour' where task_id = :sent;
select is(test.violations(), '', 'a call that was announced before it was leased');
-- An operator frees the task of a dead worker after the step: the next lease begins before the last one has ended.
select test.lease(:again), queues.expire_lease(:again);
select queues.reschedule_task(:again, now() - interval '1 hour');
select test.lease(:again);
update queues.task_lease set leased_at = leased_at - interval '1 hour' where task_id = :again and lease_no = 2;
select is(test.violations(), '', 'a lease that began before the one before it had ended');

-- What a dead worker held lasts until the clock has caught up.  The doctor says so, and what to do.
create function pg_temp.advice() returns text language sql volatile as $$ select string_agg(a.problem, ', ') from queues.advise() as a where a.area = 'clock' $$;
select is(pg_temp.advice(), null, 'no advice while clocks are right');
select test.enqueue() as held \gset
select test.lease(:held, 'dead') as lease \gset
select queues.worker_alive(test.worker('dead'));
update queues.running set leased_at = leased_at + interval '1 hour', expires_at = expires_at + interval '1 hour' where task_id = :held;
select is(pg_temp.advice(), null, 'none of a worker that has given a sign of life by the new clock');
update queues.worker_seen set seen_at = seen_at + interval '1 hour' where worker_id = test.worker('dead');
select ok(pg_temp.advice() like '%set back, and 1 lease(s)%', 'leases of a silent worker are told of');
select is((select test.take_back()), 0, 'they are not taken back by themselves');
select is(queues.expire_lease(:held), true, 'an operator can end them');
select is(pg_temp.advice(), null, 'and then all is well');
select * from finish();
rollback;
