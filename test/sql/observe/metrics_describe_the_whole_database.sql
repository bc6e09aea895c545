-- One row per figure; failures count until a person has repeated their tasks.
begin;
select plan(12);
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
select * from finish();
rollback;
