begin;
select plan(6);
select test.enqueue() as id \gset
select task_id from queues.dequeue_next_available_task();
select is(queues.complete_task(:id, _result => '{"n": 1}'), 'completed', 'once');
select is(queues.complete_task(:id, _outcome => 'failed'), 'duplicate', 'twice');
select is((select (outcome, result)::text from queues.task_completed where task_id = :id), '(succeeded,"{""n"": 1}")', 'the first one counts');
select is((select count(*) from queues.late_result), 0::bigint, 'nothing else is kept');
select ok((select t is null from queues.dequeue_next_available_task() as t), 'never handed out again');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
