-- One row per figure; failures count until a person has repeated their tasks.
begin;
select plan(20);
create function pg_temp.figure(_metric text, _label text default null) returns double precision language sql
as $$ select value from queues.metrics() where metric = _metric and label is not distinct from _label $$;
select is((select count(*) from (select 1 from queues.metrics() group by metric, label having count(*) > 1) as x), 0::bigint, 'no figure is there twice');
select is(pg_temp.figure('reeve_queue_ready', 'default'), 0::double precision, 'nothing is ready');
select is(pg_temp.figure('reeve_queue_oldest_ready_seconds', 'default'), 0::double precision, 'so nothing is old');
select test.enqueue(_at => now() - interval '1 hour') as task \gset
select test.enqueue(_at => now() + interval '1 hour');
select is(pg_temp.figure('reeve_queue_ready', 'default'), 1::double precision, 'a due task is ready');
select is(pg_temp.figure('reeve_queue_scheduled', 'default'), 1::double precision, 'another is scheduled');
select ok(pg_temp.figure('reeve_queue_oldest_ready_seconds', 'default') between 3600 and 7200, 'with its age');
select is(pg_temp.figure('reeve_unserved_types'), 1::double precision, 'nobody serves its type');
select queues.worker_alive(test.worker(), null, null);
select is(pg_temp.figure('reeve_unserved_types'), 0::double precision, 'a live worker serves all');
select is(pg_temp.figure('reeve_workers', 'live'), 1::double precision, 'and is counted');
select test.lease(:task);
select is(pg_temp.figure('reeve_queue_running', 'default'), 1::double precision, 'a leased task is running');
delete from queues.running where task_id = :task;
insert into queues.task_completed (task_id, completed_at, outcome, lease_no) values (:task, now(), 'quarantined', 1);
select is(pg_temp.figure('reeve_quarantined'), 1::double precision, 'a quarantined task counts');
select queues.retry_task(:task);
select is(pg_temp.figure('reeve_quarantined'), 0::double precision, 'until it is repeated');
select queues.enqueue('db_function', '{"db_function": "test.supervise", "id": 1}', _max_crashes => 1) as run \gset
select test.lease(:run), test.expire(:run), test.take_back();
select is((pg_temp.figure('reeve_quarantined'), pg_temp.figure('reeve_processes_at_dead_end'))::text, '(1,1)', 'a run of a process that killed its worker');
select queues.revive_process(test.process_id(1));
select is((pg_temp.figure('reeve_quarantined'), pg_temp.figure('reeve_processes_at_dead_end'))::text, '(0,0)', 'counts until the process is revived');
select is((select string_agg(label || ' ' || value, ', ' order by label) from queues.metrics() where metric = 'reeve_schedules'),
    'ended 0, paused 0, paused_by_failures 0, refused 0, waiting 0', 'each state of schedules has a figure');
select is(pg_temp.figure('reeve_schedules_overdue_seconds'), 0::double precision, 'no schedule is due');
select queues.schedule(n, '0 0 1 1 *', 'noop', _zone => 'UTC', _pause_after_failures => 2)
from unnest(array['late', 'waiting', 'refused', 'tired', 'held', 'over']) as n;
create function pg_temp.set_due(_name text, _change text) returns void language plpgsql
as $$ begin execute format('update queues.schedule_due set %s where schedule_id = (select schedule_id from queues.schedule where schedule_name = %L)', _change, _name); end $$;
select pg_temp.set_due('late', $$fire_at = now() - interval '1 hour'$$), pg_temp.set_due('refused', 'refusals = 1'), pg_temp.set_due('over', 'next_slot = null');
select queues.pause_schedule(n) from unnest(array['tired', 'held']) as n;
select pg_temp.set_due('tired', 'failures = 2'), pg_temp.set_due('held', 'failures = 1');
select is((select string_agg(label || ' ' || value, ', ' order by label) from queues.metrics() where metric = 'reeve_schedules'),
    'ended 1, paused 1, paused_by_failures 1, refused 1, waiting 2', 'schedules by state; a pause by hand is another one');
select ok(pg_temp.figure('reeve_schedules_overdue_seconds') between 3600 and 7200, 'the first due schedule has an age');
select pg_temp.set_due('late', $$fire_at = now() + interval '1 hour'$$);
select is(pg_temp.figure('reeve_schedules_overdue_seconds'), 0::double precision, 'one that is due later has none');
select pg_temp.set_due('late', $$fire_at = 'infinity'$$);
select is(pg_temp.figure('reeve_schedules_overdue_seconds'), 0::double precision, 'and neither has one that is never due');
select * from finish();
rollback;
