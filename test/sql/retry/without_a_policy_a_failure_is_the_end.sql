begin;
select plan(3);
select test.run(test.enqueue('test.raises'));
select test.run(test.enqueue('test.answer', '{"answer": {"status": "failed", "retry_after": 1}}'));
select is((select count(*) from queues.task), 2::bigint, 'nothing is added');
select is((select count(*) from queues.ready), 0::bigint, 'nothing waits');
select is((select count(*) from queues.task_chain), 0::bigint, 'and there is no chain');
select * from finish();
rollback;
