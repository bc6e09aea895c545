begin;
select plan(9);
select test.enqueue_email(_on_in_doubt => 'fail') as id \gset
select is(test.dispatch(:id), 'send', 'dispatched');
select test.expire(:id);
create temp table again as select * from queues.claim(test.worker('two'));
select is((select (mode, lease_no)::text from again), '(handler,2)', 'only the handler is left');
select is((select decision from queues.begin_dispatch(test.worker('two'), :id, 2)), 'stored', 'even when asked to dispatch');
select is(queues.finish(test.worker('two'), :id, 2, 'stored'), 'completed', 'finish with what is known');
select is(test.outcome(:id), 'in_doubt', 'in doubt');
select is((select detail->'in_doubt' from test.effect where what = 'error'), 'true', 'the error handler is told');
select is((select count(*) from queues.task_dispatched where task_id = :id), 1::bigint, 'one dispatch');
-- The type says so, and the task says nothing.
update queues.registered_task_type set on_in_doubt = 'fail' where task_type = 'email';
select test.enqueue_email() as id \gset
select is(test.dispatch(:id), 'send', 'dispatched, under the policy of its type');
select test.expire(:id);
select is((select (mode, lease_no)::text from queues.claim(test.worker('two'))), '(handler,2)', 'only the handler is left');
select * from finish();
rollback;
