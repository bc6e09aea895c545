begin;
select plan(5);
select test.enqueue('test.answer', '{"answer": {"status": "succeeded", "payload": {"n": 1}}}') as id \gset
select test.lease(:id);
select is((select (outcome, status, error)::text from queues.execute(test.worker(), :id, 1)), '(succeeded,succeeded,)', 'the answer');
select is(test.place(:id), 'completed', 'in one place');
select is((select (result, lease_no)::text from queues.task_completed where task_id = :id), '("{""n"": 1}",1)', 'payload and lease are kept');
select is((select count(*) from queues.claim(test.worker())), 0::bigint, 'not handed out again');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
