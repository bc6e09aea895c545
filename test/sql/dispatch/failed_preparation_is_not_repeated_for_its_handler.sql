-- Nothing was sent: the before handler failed, and then the error handler did.  Only the error handler is still to run.
begin;
select plan(3);
select test.enqueue_email('{"before": "raise", "on_error": "raise"}') as id \gset
select test.dispatch(:id);
select is(test.place(:id), 'ready', 'the task waits for its error handler');
select is(test.dispatch(:id), 'stored', 'the next lease has only to finish');
select is((select count(*) from queues.task_dispatched where task_id = :id), 0::bigint, 'nothing is announced');
select * from finish();
rollback;
