begin;
select plan(2);
select queues.enqueue('email', '{"before_handler": "test.before", "success_handler": "test.success", "on_success": "raise"}', _max_crashes => 1) as id \gset
select test.dispatch(:id);
select is(queues.finish(test.worker(), :id, 1, 'succeeded', '{"id": "m1"}'), 'handler_failed', 'sent, and its handler failed');
select test.lease(:id), test.expire(:id), test.take_back();
select is((select (outcome, result)::text from queues.task_completed where task_id = :id), '(quarantined,"{""id"": ""m1""}")', 'the result is attached');
select * from finish();
rollback;
