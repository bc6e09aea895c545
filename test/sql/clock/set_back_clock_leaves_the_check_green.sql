-- The server's clock is set back by an hour while work goes on: what happens later has an earlier time.
begin;
select plan(16);
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

-- Leases begin anew by the new clock: nobody waits an hour for the tasks of a dead worker.
select test.enqueue() as held, test.enqueue() as kept \gset
select test.lease(:held, 'dead'), test.lease(:kept, 'live');
select queues.worker_alive(test.worker('dead'));
create function pg_temp.set_back(_task_id bigint) returns void language sql volatile as $$
    update queues.running set leased_at = leased_at + interval '1 hour', expires_at = expires_at + interval '1 hour' where task_id = _task_id;
    update queues.task_lease set leased_at = leased_at + interval '1 hour', expires_at = expires_at + interval '1 hour' where task_id = _task_id;
$$;
create function pg_temp.is_short(_task_id bigint) returns boolean language sql volatile as $$
    select expires_at - clock_timestamp() between interval '30 seconds' and interval '60 seconds' from queues.running where task_id = _task_id
$$;
select pg_temp.set_back(:held), pg_temp.set_back(:kept);
select is(test.violations(), '', 'leases from the future are as the facts say');
select is((select state from queues.renew(test.worker('live'), array[:kept]::bigint[], array[1])), 'renewed', 'a live worker renews its lease');
select is(pg_temp.is_short(:kept), true, 'and with that it counts by the new clock');
select is((select test.take_back()), 0, 'the lease of a dead worker is not ended at once, for who knows that it is dead');
select is(pg_temp.is_short(:held), true, 'but it lasts no longer than it was given for');
select is(test.violations(), '', 'ends that are earlier than before are as the facts say');
select is(queues.rebuild_working_set(), 0::bigint, 'and nothing is to be repaired');
update queues.worker_seen set seen_at = seen_at + interval '1 hour' where worker_id = test.worker('dead');
select is((select state from queues.worker_state where worker_id = test.worker('dead')), 'silent', 'a sign of life from the future is none');

-- What was due at once by the old clock waits.  The doctor says so, and what to do.
create function pg_temp.advice() returns text language sql volatile as $$ select string_agg(a.problem, ', ') from queues.advise() as a where a.area = 'clock' $$;
select is(pg_temp.advice(), null, 'no advice while nothing waits');
select queues.enqueue('db_function', '{"db_function": "test.ok"}', now() + interval '1 hour') as later \gset
select is(pg_temp.advice(), null, 'nor for what somebody wants to be done later');
select test.unguard('queues.task');
update queues.task set enqueued_at = enqueued_at + interval '1 hour' where task_id = :later;
select ok(pg_temp.advice() like '%set back, and 1 task(s)%', 'tasks that wait for the clock are told of');
select is(queues.reschedule_task(:later, now()), true, 'an operator lets them begin');
select is(pg_temp.advice(), null, 'and then all is well');
select * from finish();
rollback;
