begin;
select plan(4);
select test.enqueue() as id \gset
select task_id from queues.dequeue_next_available_task();
select test.expire(:id);
select task_id from queues.dequeue_next_available_task();
select is(queues.held_lease(:id), 2, 'leased again');
select is(queues.complete_task(:id, 1, 'succeeded', '{"late": true}'), 'fenced', 'the first lease');
select is((select (lease_no, outcome, result)::text from queues.late_result where task_id = :id), '(1,succeeded,"{""late"": true}")', 'leaves evidence');
select is(queues.complete_task(:id, 2), 'completed', 'the second completes');
select * from finish();
rollback;
