-- A whole supervised process in one transaction that is rolled back: minutes of supervision
-- in a moment, and no trace.  Run with psql after parcel.sql, as the owner or a superuser.
\set ON_ERROR_STOP 1
begin;
select queues.set_test_clock();

-- Happy path: at home at the first try.
select parcel.kickoff_delivery('1 High Street');
select parcel.kickoff_delivery('1 High Street'); -- the second call does nothing
call worker.process_tasks(p_ahead => '1 hour');
do $$
begin
    assert (select count(*) from parcel.delivery_task) = 1, 'one root per address';
    assert (select array_agg(r.status order by r.run_no) from queues.process_run as r) = '{scheduled,succeeded}';
    assert (select p.end_reason from queues.process_state as p) = 'succeeded';
end
$$;

-- Away once, then at home: one failure fact, one success fact, waits of 1 s and 2 s.
select parcel.kickoff_delivery('2 High Street', '{away,at_home}');
call worker.process_tasks(p_ahead => '1 hour');
do $$
declare
    _task constant bigint := (select t.delivery_task_id from parcel.delivery_task as t where t.address = '2 High Street');
    _process constant bigint := (select p.process_id from queues.process as p where p.ids = jsonb_build_object('delivery_task_id', _task));
begin
    assert (select f from parcel.delivery_facts(_task) as f) = row(true, 1, 2), 'one failure, two attempts';
    assert (select array_agg(r.status order by r.run_no) from queues.process_run as r where r.process_id = _process)
           = '{scheduled,scheduled,succeeded}';
    assert (select f.error_message from parcel.delivery_attempt_failed as f)
           = 'function parcel.attempt_delivery failed: nobody opened the door (away)';
end
$$;

-- Never at home: after three attempts the supervisor stops and records it.
select parcel.kickoff_delivery('3 High Street', '{away}');
call worker.process_tasks(p_ahead => '1 hour');
do $$
declare
    _task constant bigint := (select t.delivery_task_id from parcel.delivery_task as t where t.address = '3 High Street');
begin
    assert (select f from parcel.delivery_facts(_task) as f) = row(false, 3, 3), 'three failures';
    assert (select p.end_reason from queues.process_state as p where p.ids = jsonb_build_object('delivery_task_id', _task))
           = 'max_attempts_reached';
    assert (select count(*) from queues.ready) = 0, 'nothing is left open';
    assert (select count(*) from queues.check(true)) = 0, 'facts and working set agree';
end
$$;
rollback;
