begin;
select plan(7);
select test.enqueue_email('{"n": 1}') as id \gset
select test.dispatch(:id);
select is(queues.finish(test.worker(), :id, 1, 'succeeded', '{"id": "m1"}'), 'completed', 'completed');
select is(test.outcome(:id), 'succeeded', 'as succeeded');
select is((select result from queues.task_completed where task_id = :id), '{"id": "m1"}', 'with the result');
select is((select detail - 'original_payload' from test.effect where what = 'success'), jsonb_build_object('worker_payload', '{"id": "m1"}'::jsonb, 'task', :id), 'the handler gets the result');
select is((select detail #> '{original_payload,n}' from test.effect where what = 'success'), '1', 'and the payload');
select is(test.errors(:id), 0::bigint, 'no error fact');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
