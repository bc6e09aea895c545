begin;
select plan(8);
select queues.enqueue('http', '{"request": {"url": "https://example.com/x"}, "error_handler": "test.error"}', _max_attempts => 3) as one \gset
select test.dispatch(:one);
select is(queues.finish(test.worker(), :one, 1, 'answered', '{"status": 503, "headers": {"retry-after": "120"}, "body": ""}'), 'completed', 'the first call fails');
select internal.last_attempt(:one) as two \gset
select is((select t.idempotency_key from queues.task as t where t.task_id = :two), (select t.task_uuid::text from queues.task as t where t.task_id = :one), 'the same logical effect has the same key');
select ok((select extract(epoch from t.scheduled_at - c.completed_at) between 120 and 144 from queues.task as t, queues.task_completed as c where t.task_id = :two and c.task_id = :one), 'Retry-After is heard');
select is((select detail - 'original_payload' - 'task' - 'worker_payload' - 'error' - 'error_class' from test.effect where what = 'error'), '{"attempt": 1, "max_attempts": 3, "is_last": false}', 'its error handler is told');
select is((select r.destination from queues.ready as r where r.task_id = :two), 'example.com', 'it counts for the same peer');
select test.dispatch(:two);
select queues.set_retry_policy('type', 'http', _final_statuses => '{404}');
select queues.finish(test.worker(), :two, 1, 'answered', '{"status": 404, "headers": {}, "body": ""}');
select is(internal.last_attempt(:one), :two, 'a status that the type names as final');
select is((select (detail->>'is_last') from test.effect where what = 'error' order by effect_id desc limit 1), 'true', 'and its handler knows');
select is(test.violations(), 'not_before_its_time', 'the facts agree, but for the time that the test passed over');
select * from finish();
rollback;
