begin;
select plan(2);
select test.enqueue_email('{"on_success": "refuse"}') as id \gset
select test.dispatch(:id);
select is(queues.finish(test.worker(), :id, 1, 'succeeded'), 'handler_failed', 'any status but success');
select is((select (error_message, sqlstate)::text from queues.error where task_id = :id), '("success handler test.success returned status: not_found",QU003)', 'is a fact');
select * from finish();
rollback;
