begin;
select plan(10);
select test.enqueue_email() as id \gset
select test.dispatch(:id);
select test.expire(:id), test.take_back();
select test.lease(:id, 'two');
select decision from queues.begin_dispatch(test.worker('two'), :id, 2);
select is(queues.finish(test.worker('two'), :id, 2, 'succeeded', '{"id": "m2"}'), 'completed', 'the successor finishes');
select is(queues.finish(test.worker(), :id, 1, 'failed', '{"a": 1}', 'late'), 'fenced', 'the frozen one is fenced');
select is((select (lease_no, outcome, result, error_message)::text from queues.late_result where task_id = :id), '(1,failed,"{""a"": 1}",late)', 'its result is kept');
select is(test.outcome(:id), 'succeeded', 'one completion');
select is(test.effects('error'), 0::bigint, 'no handler effect from it');
select is(queues.finish(test.worker(), :id, 1, 'failed', null, 'late'), 'fenced', 'again');
select is((select count(*) from queues.late_result), 1::bigint, 'kept once');
select is(queues.finish(gen_random_uuid(), :id, 1, 'failed'), 'fenced', 'a stranger');
select is((select count(*) from queues.late_result), 1::bigint, 'leaves nothing');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
