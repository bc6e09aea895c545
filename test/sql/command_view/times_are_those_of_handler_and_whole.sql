begin;
select plan(5);
select worker.enqueue('act', '{"n": 1}') as id \gset
select test.lease(:id), test.expire(:id), test.take_back(), test.run_command(:id);
select ok((select process_start_at <= process_stop_at and process_stop_at <= completed_at from worker.tasks where id = :id), 'in their order');
select ok((select process_duration_ms between 0 and 60000 and duration_ms = process_duration_ms and processed_at = process_stop_at from worker.tasks where id = :id), 'the handler''s time, under both names');
select ok((select completion_duration_ms > process_duration_ms from worker.tasks where id = :id), 'from the first start on: an earlier lease counts');
select worker.enqueue('act') as never \gset
select queues.cancel_task(:never);
select results_eq(format('select process_start_at, process_duration_ms, completion_duration_ms from worker.tasks where id = %s', :never), 'values (null::timestamptz, null::numeric, null::numeric)', 'what never began has none');
select is((select array_agg(a.attname::text order by a.attnum) from pg_attribute as a where a.attrelid = 'worker.tasks'::regclass and a.attnum > 0),
    array['id', 'command', 'priority', 'created_at', 'state', 'process_start_at', 'process_stop_at', 'completed_at', 'process_duration_ms', 'completion_duration_ms', 'error', 'scheduled_at', 'worker_pid', 'payload', 'parent_id', 'child_mode', 'depth', 'info', 'queue', 'processed_at', 'duration_ms', 'merges'], 'the columns are the documented ones');
select * from finish();
rollback;
