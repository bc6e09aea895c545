begin;
select plan(12);
select test.enqueue_email('{"on_success": "raise"}') as id \gset
select test.dispatch(:id);
select is(queues.finish(test.worker(), :id, 1, 'succeeded', '{"id": "m1"}'), 'handler_failed', 'the handler raised');
select is((select (how, outcome, result)::text from queues.task_lease_ended where task_id = :id), '(handler_failed,succeeded,"{""id"": ""m1""}")', 'the result is kept');
select is((select phase from queues.ready where task_id = :id)::text, 'h', 'only the handler is left');
select is((select round(extract(epoch from retry_at - ended_at)::numeric) from queues.task_lease_ended where task_id = :id), 5::numeric, 'after 5 s');
select is((select (error_message, source)::text from queues.error where task_id = :id), '("success handler test.success failed: handler boom",success_handler)', 'the error is a fact');
select is((select count(*) from queues.claim(test.worker())), 0::bigint, 'not before its time');
select test.make_due(:id);
create temp table again as select * from queues.claim(test.worker());
select is((select (mode, lease_no)::text from again), '(handler,2)', 'then it is handed out for its handler');
select is(queues.finish(test.worker(), :id, 2, 'stored'), 'handler_failed', 'it fails again');
-- The handler is mended.
create or replace function test.success(_payload jsonb) returns jsonb language sql security definer set search_path = pg_catalog, pg_temp
as $$ select test.handle('success', null, _payload) $$;
select test.lease(:id);
select is(queues.finish(test.worker(), :id, 3, 'stored'), 'completed', 'and works at last');
select is(test.outcome(:id), 'succeeded', 'succeeded');
select is((select count(*) from queues.task_dispatched where task_id = :id), 1::bigint, 'the provider was called once');
select is((select detail->'worker_payload' from test.effect where what = 'success'), '{"id": "m1"}', 'with the result of that call');
select * from finish();
rollback;
