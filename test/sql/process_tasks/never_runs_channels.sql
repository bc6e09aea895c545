begin;
select plan(1);
select test.enqueue_email() as id \gset
call worker.process_tasks();
select is(test.place(:id), 'ready', 'an e-mail waits for a worker');
select * from finish();
rollback;
