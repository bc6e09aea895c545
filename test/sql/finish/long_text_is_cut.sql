begin;
select plan(2);
select test.enqueue_email() as id \gset
select test.dispatch(:id);
select queues.finish(test.worker(), :id, 1, 'failed', jsonb_build_object('body', repeat('x', 100000)), repeat('e', 10000));
select ok((select octet_length(error_message) <= 8192 from queues.error where task_id = :id), 'the error');
select ok((select octet_length(result::text) <= 65536 from queues.task_completed where task_id = :id), 'the result');
select * from finish();
rollback;
