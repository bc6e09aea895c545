begin;
select plan(5);
select test.enqueue() as a, test.enqueue() as b \gset
set local role worker_service_user;
select task_id as got from queues.dequeue_next_available_task() \gset
select queues.held_lease(:got) as lease, internal.run_function('test.ok', '{}') as ran \gset
select queues.complete_task(:got) as completed \gset
select task_id as other from queues.dequeue_available_task() \gset
select queues.fail_task(:other, 'no');
reset role;
select is(:got, :a, 'dequeue');
select is(:lease, 1, 'held_lease');
select is(:'ran'::text, '{"status": "succeeded"}', 'run_function');
select is(:'completed'::text, 'completed', 'complete_task');
select is(test.last_error(:b), 'no', 'fail_task');
select * from finish();
rollback;
