begin;
select plan(5);
select queues.set_retry_policy('type', 'email', 3);
select test.enqueue_email('{"before": "answer", "answer": {"validation_failure_message": "no such customer"}, "on_error": "raise"}') as mail \gset
select is(test.dispatch(:mail), 'completed', 'the before handler refuses, and the error handler raises');
select is(test.place(:mail), 'ready', 'the error handler will run again');
create or replace function test.error(_payload jsonb) returns jsonb language sql security definer set search_path = pg_catalog, pg_temp
as $$ select test.handle('error', null, _payload) $$;
select test.lease(:mail) as lease \gset
select is(queues.finish(test.worker(), :mail, :lease, 'stored'), 'completed', 'it succeeds');
select is((select detail - 'original_payload' - 'task' from test.effect where what = 'error'),
          '{"error": "before handler test.before returned status: validation_failed: no such customer", "error_class": "handler", "validation_failure": true, "attempt": 1, "max_attempts": 3, "is_last": true}', 'and hears that nothing follows');
select is(internal.last_attempt(:mail), :mail, 'there is no other attempt');
select * from finish();
rollback;
