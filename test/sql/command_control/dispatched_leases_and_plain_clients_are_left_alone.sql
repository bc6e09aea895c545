begin;
select plan(2);
select test.enqueue_email() as mail, test.enqueue() as client \gset
select test.dispatch(:mail);
select test.lease(:client);
insert into queues.holder (worker_id, leased_by, backend_pid, backend_start) values (test.worker('two'), session_user, 2147483647, now()), (null, session_user, 2147483647, now());
update queues.running set holder_id = (select max(holder_id) - 1 from queues.holder) where task_id = :mail;
update queues.running set holder_id = (select max(holder_id) from queues.holder) where task_id = :client;
select is(worker.reset_abandoned_processing_tasks(), 0, 'a call that was announced runs out by time');
select is(array[test.place(:mail), test.place(:client)], array['running', 'running'], 'and so does what a pool may still complete');
select * from finish();
rollback;
