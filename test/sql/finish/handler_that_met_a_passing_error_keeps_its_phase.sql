begin;
select plan(4);
select test.enqueue_email('{"on_success": "raise"}') as id \gset
select test.dispatch(:id);
select is(queues.finish(test.worker(), :id, 1, 'succeeded', '{}'), 'handler_failed', 'its handler is left');
select test.lease(:id);
select is(queues.finish(test.worker(), :id, 2, 'transient', null, 'deadlock'), 'retry', 'a passing error in the handler');
select is((select phase from queues.ready where task_id = :id)::text, 'h', 'still only the handler is left');
select is_empty($$select * from queues.check() where invariant = 'ready_follows_facts'$$, 'facts and working set agree');
select * from finish();
rollback;
