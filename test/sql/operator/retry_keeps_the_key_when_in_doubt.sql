begin;
select plan(2);
select test.enqueue_email(_on_in_doubt => 'fail') as id \gset
select test.dispatch(:id);
select queues.finish(test.worker(), :id, 1, 'in_doubt');
select queues.retry_task(:id) as same, queues.retry_task(:id, _same_key => false) as other \gset
select is((select idempotency_key from queues.task where task_id = :same), (select task_uuid::text from queues.task where task_id = :id), 'the key of the doubtful send');
select is((select idempotency_key from queues.task where task_id = :other), null, 'unless asked otherwise');
select * from finish();
rollback;
