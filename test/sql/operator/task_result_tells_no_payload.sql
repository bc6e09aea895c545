begin;
select plan(5);
select test.enqueue('test.answer', '{"answer": {"status": "late", "payload": {"n": 1}}, "secret": "s"}') as id \gset
select is(queues.task_result(:id), '{"state": "ready"}', 'waiting');
select test.run(:id);
select is(queues.task_result(:id) - 'completed_at', '{"state": "completed", "outcome": "non_success", "status": "late", "result": {"n": 1}}', 'completed');
select ok(queues.task_result(:id) ? 'completed_at', 'with the time');
select test.enqueue('test.raises') as bad \gset
select test.run(:bad);
select is(queues.task_result(:bad)->>'error', 'function test.raises failed: boom', 'an error');
select is(queues.task_result(999999999), null, 'unknown id');
select * from finish();
rollback;
