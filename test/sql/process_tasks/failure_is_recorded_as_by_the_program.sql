begin;
select plan(3);
select test.enqueue('test.raises') as bad, test.enqueue('test.raises', '{"sqlstate": "40001"}') as passing, test.enqueue() as good \gset
call worker.process_tasks();
select is(test.outcome(:bad), 'failed', 'an exception');
select is(test.outcome(:passing), 'failed', 'a passing error that does not pass');
select is(test.outcome(:good), 'succeeded', 'the next task runs');
select * from finish();
rollback;
