begin;
select plan(10);
select test.enqueue(_at => now() + interval '1 hour') as later, test.enqueue(_at => now() - interval '1 s') as due, test.enqueue() as done, test.enqueue() as held,
       test.enqueue_email('{"on_success": "raise"}') as pending \gset
select test.run(:done), test.lease(:held), test.dispatch(:pending);
select queues.finish(test.worker(), :pending, 1, 'succeeded');
select is((select state from queues.task_state where task_id = :later), 'scheduled', 'scheduled');
select is((select state from queues.task_state where task_id = :due), 'ready', 'ready');
select is((select state from queues.task_state where task_id = :held), 'running', 'running');
select is((select (state, outcome, status)::text from queues.task_state where task_id = :done), '(completed,succeeded,succeeded)', 'completed');
select is((select state from queues.task_state where task_id = :pending), 'handler_pending', 'handler pending');
select ok((select dequeued_at is not null and expires_at > now() and lease_no = 1 from queues.task_state where task_id = :held), 'the lease of the running one');
select is((select (ready, scheduled, running, handler_pending)::text from queues.queue_state where queue = 'default'), '(1,1,1,0)', 'counts of a queue');
select is((select tasks_held from queues.worker_state where worker_id = test.worker()), 1::bigint, 'and of a worker');
select is((select (how, outcome)::text from queues.lease_outcome where task_id = :done), '(completed,succeeded)', 'a lease that completed');
select is((select (how, outcome)::text from queues.lease_outcome where task_id = :pending), '(handler_failed,succeeded)', 'a lease that did not');
select * from finish();
rollback;
