begin;
select plan(3);
select test.enqueue('test.answer', '{"answer": {"status": "late"}}') as id \gset
select is(test.run(:id), 'non_success', 'run');
select is((select (outcome, status)::text from queues.execute(test.worker(), :id, 1)), '(non_success,late)', 'the same again');
select is(test.effects('answer'), 1::bigint, 'it ran once');
select * from finish();
rollback;
