begin;
select plan(8);
set local client_min_messages = error;
select worker.register_command('act', 'test.act', 'trees');
select worker.enqueue('act', '{"n": 1}') as dead, worker.enqueue('act', '{"n": 2}', null, -5) as pending \gset
select test.lease(:dead), test.enqueue() as mine \gset
select test.lease(:mine);
-- The first was leased by a backend that is gone.
insert into queues.holder (worker_id, leased_by, backend_pid, backend_start) values (test.worker('two'), session_user, 2147483647, now());
update queues.running set holder_id = (select max(holder_id) from queues.holder) where task_id = :dead;
alter table queues.task_lease disable trigger user;
update queues.task_lease set holder_id = (select max(holder_id) from queues.holder) where task_id = :dead;
select is(worker.reset_abandoned_processing_tasks(), 1, 'one is freed');
select is(array[test.state(:dead), (select worker_pid::text from worker.tasks where id = :dead)], array['interrupted', null], 'it was interrupted and no backend has it');
select is((select how from queues.task_lease_ended where task_id = :dead), 'abandoned', 'its lease is over');
select is(test.place(:mine), 'running', 'leases of this session stay');
select is(worker.reset_abandoned_processing_tasks(), 0, 'there is nothing else');
select is((select task_id from queues.claim(test.worker(), '{trees}', _limit => 10)), :dead, 'it goes before what has not begun, however urgent');
select is(test.violations(), '', 'facts and working set agree');
select is(test.sqlstate_as('queues_enqueuer', 'select worker.reset_abandoned_processing_tasks()'), '42501', 'not for everybody');
select * from finish();
rollback;
