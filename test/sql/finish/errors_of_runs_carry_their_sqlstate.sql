begin;
select plan(10);
set local client_min_messages = error;
-- A run that timed out.
select test.enqueue('test.ok') as f, worker.enqueue('plain') as c \gset
select test.lease(:f) as l1, test.lease(:c) as l2 \gset
select is(queues.finish(test.worker(), :f, :l1, 'failed', null, 'timed out after 1 s', '57014'), 'completed', 'a function');
select is(queues.finish(test.worker(), :c, :l2, 'failed', null, 'timed out after 1 s', '57014'), 'completed', 'a command');
select is((select array_agg(distinct e.sqlstate || coalesce(e.error_class, '')) from queues.error as e where e.task_id in (:f, :c)), array['57014'], 'both say so');
select ok((select bool_and(c.started_at is not null and c.completed_at >= c.started_at) from queues.task_completed as c where c.task_id in (:f, :c)), 'and when they began');
select ok((select process_start_at is not null and process_duration_ms >= 0 from worker.tasks where id = :c), 'for commands, too');
-- Passing errors that do not pass.
select internal.set_config('transient_retry_limit', '0');
select test.enqueue('test.raises', '{"sqlstate": "40P01"}') as d \gset
select test.lease(:d) as l \gset
select * from queues.execute_batch(test.worker(), array[:d]::bigint[], array[:l]);
select is((select e.sqlstate || ' ' || e.error_message from queues.error as e where e.task_id = :d), '40P01 gave up after 0 passing errors: boom', 'they say what they were');
select worker.enqueue('plain') as p \gset
select test.lease(:p) as l3 \gset
select is(queues.finish(test.worker(), :p, :l3, 'transient', null, 'deadlock detected', '40P01'), 'completed', 'commands give up, too');
select is((select e.sqlstate || ' ' || e.error_message from queues.error as e where e.task_id = :p), '40P01 gave up after 0 passing errors: deadlock detected', 'and say why');
select ok((select process_start_at is not null and process_duration_ms >= 0 from worker.tasks where id = :p), 'and when they began');
-- A handler that fails too often.
select internal.set_config('handler_retry_limit', '1');
select test.enqueue_email('{"on_success": "raise"}') as m \gset
select test.dispatch(:m);
select is(queues.finish(test.worker(), :m, 1, 'succeeded', '{}'), 'quarantined', 'a quarantine is told');
select * from finish();
rollback;
