-- The server's clock is set back between a claim and the announcement of its call: the lease must not last an hour longer.
begin;
select plan(12);
select test.unguard('queues.task_lease');
create function pg_temp.move(_task_id bigint, _by interval) returns void language sql volatile as $$
    update queues.running set leased_at = leased_at + _by, expires_at = expires_at + _by where task_id = _task_id;
    update queues.task_lease set leased_at = leased_at + _by, expires_at = expires_at + _by where task_id = _task_id;
$$;
create function pg_temp.left(_task_id bigint) returns interval language sql volatile as $$
    select expires_at - clock_timestamp() from queues.running where task_id = _task_id
$$;
create function pg_temp.job_task(_job_id bigint) returns bigint language sql volatile as $$
    select t.task_id from queues.task as t where (t.payload->>'job_id')::bigint = _job_id
$$;
create function pg_temp.announce(_task_id bigint) returns text language sql volatile as $$
    select decision from queues.begin_dispatch_batch(test.worker(), array[_task_id], array[1])
$$;
select test.enqueue_email() as one, test.enqueue_email() as many, pg_temp.job_task(test.job()) as job,
       test.enqueue_email() as old, test.enqueue_email() as fresh, pg_temp.job_task(test.job()) as fresh_job,
       pg_temp.job_task(test.job()) as old_job \gset
select test.lease(t) from unnest(array[:one, :many, :job, :old, :fresh, :fresh_job, :old_job]) as t;
select pg_temp.move(t, interval '1 hour') from unnest(array[:one, :many, :job]) as t;
select is((select decision from queues.begin_dispatch(test.worker(), :one, 1)), 'send', 'one call is announced');
select ok(pg_temp.left(:one) between interval '1 second' and interval '60 seconds', 'and its lease is as long as it was given for');
select is(pg_temp.announce(:many), 'send', 'a call is announced in a batch');
select ok(pg_temp.left(:many) between interval '1 second' and interval '60 seconds', 'with the same lease');
select is(pg_temp.announce(:job), 'send', 'and so is a run of a job');
select ok(pg_temp.left(:job) between interval '1 second' and interval '60 seconds', 'with the same lease');
select is(test.violations(), '', 'the check finds nothing');
-- With a clock that goes on, an announcement lengthens a lease or leaves it as it is.
select pg_temp.move(t, interval '-30 seconds') from unnest(array[:old, :old_job]) as t;
select pg_temp.announce(t) from unnest(array[:old, :fresh, :fresh_job, :old_job]) as t;
select ok(pg_temp.left(:old) > interval '31 seconds', 'a lease of which half was gone is longer');
select ok(pg_temp.left(:old_job) > interval '31 seconds', 'that of a job too');
select is((select renewed_at from queues.running where task_id = :fresh), null, 'a fresh one is left alone');
select is((select renewed_at from queues.running where task_id = :fresh_job), null, 'that of a job too');
select is(queues.rebuild_working_set(), 0::bigint, 'nothing is to be repaired');
select * from finish();
rollback;
