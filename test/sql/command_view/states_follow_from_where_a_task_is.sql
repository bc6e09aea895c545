begin;
select plan(9);
select worker.enqueue('act', '{"n": 1}') as id \gset
select is(test.state(:id), 'pending', 'enqueued');
select test.lease(:id) as lease \gset
select is(test.state(:id), 'processing', 'leased');
select is((select worker_pid from worker.tasks where id = :id), pg_backend_pid(), 'by this backend');
select queues.release(test.worker(), array[:id], array[:lease]);
select is(test.state(:id), 'pending', 'given back');
select test.lease(:id), test.expire(:id);
select is(test.state(:id), 'interrupted', 'its lease has run out and nobody runs it');
select is((select worker_pid from worker.tasks where id = :id), null::integer, 'by no backend');
select test.take_back();
select is(test.state(:id), 'interrupted', 'taken back');
select test.run_command(:id);
select is(test.state(:id), 'completed', 'done');
select is((select count(*) from worker.tasks as t join queues.task as x on x.task_id = t.id where x.task_type <> 'command'), 0::bigint, 'only commands are shown');
select * from finish();
rollback;
