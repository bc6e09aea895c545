-- Adapter program: without a before handler the payload is sent, whatever its fields are called.
begin;
select plan(10);
select queues.register_task_type('resize_image', 'program', _timeout => '1 minute');
select is((select (kind, sends_payload, is_interrupted)::text from queues.registered_task_type where task_type = 'resize_image'),
          '(call,t,t)', 'a call that sends the payload and can be interrupted');
select queues.enqueue('resize_image', '{"path": "a.png", "sign": {"secret": "x"}, "request": 1}') as id \gset
select test.lease(:id);
create temp table sent as select * from queues.begin_dispatch_batch(test.worker(), array[:id]::bigint[], array[1]);
select is((select (decision, adapter, attempt, timeout)::text from sent), '(send,program,1,00:01:00)', 'it is sent');
select is((select request from sent), '{"path": "a.png", "sign": {"secret": "x"}, "request": 1}'::jsonb, 'the payload is sent');
select is((select secrets from sent), '{}'::jsonb, 'a field of a payload names no secret');
select queues.enqueue('resize_image', '{"path": "b.png"}') as plain \gset
select test.lease(:plain);
select is((select request from queues.begin_dispatch_batch(test.worker(), array[:plain]::bigint[], array[1])), '{"path": "b.png"}'::jsonb,
          'so is one without such fields');
create temp table again as select * from queues.begin_dispatch(test.worker(), :id, 1);
select is((select (decision, request->>'path', secrets)::text from again), '(send,a.png,{})', 'and so by the single function');
select is((select count(*)::integer from queues.task_dispatched where task_id = :id), 1, 'one announcement');
-- A final failure is not retried; a failure may ask for a wait.
select queues.enqueue('resize_image', '{"n": 2}', _max_attempts => 3) as final \gset
select queues.enqueue('resize_image', '{"n": 3}', _max_attempts => 3) as later \gset
select test.dispatch(:final), test.dispatch(:later);
select queues.finish(test.worker(), :final, 1, 'failed', null, 'never', 'final'),
       queues.finish(test.worker(), :later, 1, 'failed', '{"retry_after": 1000}', 'not now', 'program');
select is(internal.last_attempt(:final), :final, 'a final failure has no next attempt');
select ok((select scheduled_at between queues.clock() + interval '990 s' and queues.clock() + interval '1201 s'
           from queues.task where task_id = internal.last_attempt(:later)), 'a failure may ask for a wait');
select is((select attempt::integer from queues.task_attempt where task_id = internal.last_attempt(:later)), 2, 'the second attempt');
select * from finish();
rollback;
