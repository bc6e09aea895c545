-- A lease that was superseded leaves its result as evidence, if the worker that brings it held that lease.
begin;
select plan(5);
select test.enqueue_email() as id \gset
select test.dispatch(:id);
select queues.finish(test.worker(), :id, 1, 'unsent', null, 'not sent');
select test.dispatch(:id);
select is(queues.finish(test.worker('other'), :id, 1, 'succeeded', '{"id": "forged"}'), 'fenced', 'another worker is fenced');
select is((select count(*) from queues.late_result where task_id = :id), 0::bigint, 'and leaves no evidence');
select is(queues.finish(test.worker(), :id, 1, 'succeeded', '{"id": "true"}'), 'fenced', 'the worker that had it is fenced');
select is((select string_agg(result->>'id', ' ') from queues.late_result where task_id = :id), 'true', 'and its result is evidence');
select is(queues.finish(test.worker(), :id, 2, 'stored'), 'completed', 'which the next lease uses');
select * from finish();
rollback;
