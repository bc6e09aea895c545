begin;
select plan(2);
select test.enqueue('test.raises', '{"error_handler": "test.error", "on_error": "raise"}') as id \gset
select is(test.run(:id), 'failed', 'the task still completes');
select is((select array_agg(source order by error_id) from queues.error where task_id = :id), array['function', 'error_handler'], 'both errors are facts');
select * from finish();
rollback;
