-- Each lease of this task dies with its worker.  With the clock in our hand, it is claimable when
-- docs/reliability.md says: at the end of its first lease, and of each later one after a pause.
begin;
select plan(11);
select queues.set_test_clock('2030-01-01 09:00+00');
select queues.enqueue('db_function', '{"db_function": "test.ok"}', queues.clock()) as id \gset
-- Lets the lease end and takes it back at once; returns how long after that the task may be claimed.
create function pg_temp.die(_id bigint) returns interval language plpgsql volatile
as $$
declare
    _end timestamptz;
begin
    perform test.lease(_id);
    select r.expires_at into _end from queues.running as r where r.task_id = _id;
    perform internal.take_back(_end);
    if not exists (select 1 from queues.running as r where r.task_id = _id) then
        raise exception 'a lease ended before its time';
    end if;
    perform queues.set_test_clock(_end + interval '1 microsecond');
    perform internal.take_back(queues.clock());
    return (select r.available_at - queues.clock() from queues.ready as r where r.task_id = _id);
end
$$;
create function pg_temp.run_for(_by interval) returns bigint language plpgsql volatile
as $$
begin
    perform queues.advance_clock(_by);
    call worker.process_tasks();
    return test.effects('ok');
end
$$;
select is(pg_temp.die(:id), interval '0', 'after the first death it is claimable as soon as the lease has ended');
select is(pg_temp.die(:id), interval '5 seconds', 'after the second one it is a suspect, and waits');
savepoint second;
select is(pg_temp.run_for('4.999 seconds'), 0::bigint, 'it does not run earlier');
select is(pg_temp.run_for('0.001 seconds'), 1::bigint, 'nor later');
rollback to second;
select is(pg_temp.die(:id), interval '10 seconds', 'twice as long after the third');
select is(pg_temp.die(:id), interval '20 seconds', 'and after the fourth, which is the longest by default');
select is(pg_temp.die(:id), null, 'the fifth is the last');
select is(test.outcome(:id), 'quarantined', 'it is quarantined, without another wait');

-- What ended otherwise than by a death does not wait, however often holders have died before.
select queues.enqueue('db_function', '{"db_function": "test.ok"}', queues.clock()) as id \gset
select pg_temp.die(:id), pg_temp.die(:id);
select test.lease(:id) as lease \gset
select queues.expire_lease(:id);
select is((select r.available_at <= queues.clock() from queues.ready as r where r.task_id = :id), true, 'an operator who declares a worker dead waits for nothing');
select test.lease(:id) as lease \gset
select queues.release(test.worker(), array[:id]::bigint[], array[:lease]::integer[]);
select is((select r.available_at <= queues.clock() from queues.ready as r where r.task_id = :id), true, 'nor does a worker that stops in order');
select is((select r.crash_count from queues.ready as r where r.task_id = :id)::integer, 3, 'and a stop in order is no death');
select * from finish();
rollback;
