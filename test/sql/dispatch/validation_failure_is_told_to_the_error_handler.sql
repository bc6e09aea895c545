begin;
select plan(3);
select test.enqueue_email('{"before": "answer", "answer": {"validation_failure_message": "no such customer"}}') as mail \gset
select is(test.dispatch(:mail), 'completed', 'decided without the provider');
select is((select e.detail->'validation_failure' from test.effect as e where e.what = 'error'), 'true', 'the handler learns that trying again is in vain');
select is((select (source, error_class)::text from queues.error where task_id = :mail), '(before_handler,handler)', 'the fact names the handler');
select * from finish();
rollback;
