begin;
select plan(2);
select test.enqueue('test.ok', '{"error_handler": "test.error", "on_error": "raise"}') as id \gset
select test.lease(:id);
select is(queues.finish(test.worker(), :id, 1, 'failed', null, 'timed out'), 'completed', 'completed, though its handler fails');
select is((select array_agg(source order by error_id) from queues.error where task_id = :id), array['function', 'error_handler'], 'both errors are facts');
select * from finish();
rollback;
