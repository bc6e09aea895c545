begin;
select plan(1);
select test.enqueue() as id \gset
set local role worker_service_user;
call worker.process_tasks();
reset role;
select is(test.outcome(:id), 'succeeded', 'a task of this transaction ran');
select * from finish();
rollback;
