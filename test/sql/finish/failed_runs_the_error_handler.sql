begin;
select plan(4);
select test.enqueue_email() as id \gset
select test.dispatch(:id);
select is(queues.finish(test.worker(), :id, 1, 'failed', '{"status": 422}', 'refused by provider', 'refused'), 'completed', 'completed');
select is(test.outcome(:id), 'failed', 'as failed');
select is((select (error_message, source, error_class, lease_no)::text from queues.error where task_id = :id), '("refused by provider",provider,refused,1)', 'one error fact');
select is((select detail - 'original_payload' - 'task' from test.effect where what = 'error'),
          '{"error": "refused by provider", "error_class": "refused", "worker_payload": {"status": 422}}', 'the handler is told');
select * from finish();
rollback;
