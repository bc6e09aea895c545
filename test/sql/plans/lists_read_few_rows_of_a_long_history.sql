-- A page of a list reads about as many rows as it looks at, whatever history and the queues hold.
begin;
select plan(19);
insert into queues.task (task_id, task_type, payload, enqueued_at, scheduled_at, queue) overriding system value
select n, 'noop', '{}', now() - interval '1 hour', now() - interval '1 hour', 'default' from generate_series(1, 60000) as n;
insert into queues.task_completed (task_id, completed_at, outcome)
select n, now() - interval '1 hour', case when n % 100 = 0 then 'failed' else 'succeeded' end from generate_series(1, 40000) as n;
insert into queues.ready (queue_id, priority, available_at, task_id, type_id)
select q.queue_id, 0, t.scheduled_at, t.task_id, y.type_id from queues.task as t join queues.queue as q on q.queue = t.queue
join queues.registered_task_type as y on y.task_type = t.task_type where t.task_id between 40001 and 60000;
create function pg_temp.rows_read() returns bigint language sql as
    $$ select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint from pg_stat_xact_user_tables where schemaname = 'queues' $$;
create function pg_temp.costs(_call text) returns bigint language plpgsql as $$
declare
    _before constant bigint := pg_temp.rows_read();
begin
    execute 'select ' || _call;
    return pg_temp.rows_read() - _before;
end $$;
select cmp_ok(pg_temp.costs('queues.list_tasks()'), '<', 1500::bigint, 'the first page');
select cmp_ok(pg_temp.costs('queues.list_tasks(_cursor => ''30000'')'), '<', 1500::bigint, 'a page in the middle');
select cmp_ok(pg_temp.costs('queues.list_tasks(''completed'')'), '<', 1500::bigint, 'completed ones');
select cmp_ok(pg_temp.costs('queues.list_tasks(_outcome => ''failed'')'), '<', 1500::bigint, 'failures, without the successes');
select cmp_ok(pg_temp.costs('queues.list_tasks(_outcome => ''quarantined'')'), '<', 100::bigint, 'an outcome that nothing has');
select cmp_ok(pg_temp.costs('queues.list_tasks(''ready'')'), '<', 8000::bigint, 'ready ones: at most five thousand rows of the queue');
select cmp_ok(pg_temp.costs('queues.list_tasks(''scheduled'')'), '<', 100::bigint, 'scheduled ones, without the ready ones');
select cmp_ok(pg_temp.costs('queues.list_tasks(''waiting'')'), '<', 100::bigint, 'waiting ones');
select cmp_ok(pg_temp.costs('queues.list_tasks(''running'')'), '<', 100::bigint, 'running ones');
select cmp_ok(pg_temp.costs('queues.list_tasks(_task_type => ''http'')'), '<', 45000::bigint, 'a filter that fits nothing');
select cmp_ok(pg_temp.costs('queues.show_task(20000)'), '<', 50::bigint, 'a completed task');
select cmp_ok(pg_temp.costs('queues.show_task(50000)'), '<', 50::bigint, 'a waiting task');
select cmp_ok(pg_temp.costs('(select count(*) from queues.task_story(20000))'), '<', 50::bigint, 'its story');
select cmp_ok(pg_temp.costs('(select count(*) from queues.find(''50000''))'), '<', 50::bigint, 'a search by id');
select cmp_ok(pg_temp.costs('queues.list_processes()'), '<', 100::bigint, 'processes');
select cmp_ok(pg_temp.costs('queues.list_processes(''live'')'), '<', 100::bigint, 'live ones');
select cmp_ok(pg_temp.costs('pgqueue.list_jobs()'), '<', 100::bigint, 'jobs');
insert into internal.kept_count (counted_at, took, counts) values (clock_timestamp(), '1 hour', '{}');
select cmp_ok(pg_temp.costs('queues.open_counts()'), '<', 100::bigint, 'counts that are kept');
-- Every task with a priority of its own.
insert into queues.ready (queue_id, priority, available_at, task_id, type_id)
select q.queue_id, 100 + t.task_id, t.scheduled_at, t.task_id, y.type_id from queues.task as t join queues.queue as q on q.queue = 'email'
join queues.registered_task_type as y on y.task_type = t.task_type where t.task_id between 40001 and 60000;
select cmp_ok(pg_temp.costs('queues.list_tasks(''scheduled'', _queue => ''email'')'), '<', 120000::bigint, 'as many priorities as tasks');
select * from finish();
rollback;
