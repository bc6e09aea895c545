begin;
select plan(3);
select test.enqueue_email('{"on_error": "raise"}') as id \gset
select test.dispatch(:id);
select is(queues.finish(test.worker(), :id, 1, 'failed', null, 'refused'), 'handler_failed', 'kept');
select is((select array_agg(source order by error_id) from queues.error where task_id = :id), array['provider', 'error_handler'], 'both errors are facts');
select is(test.dispatch(:id), 'stored', 'not sent again');
select * from finish();
rollback;
