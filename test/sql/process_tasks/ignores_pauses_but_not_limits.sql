begin;
select plan(1);
select queues.create_queue('one', 1);
select queues.pause_queue('one');
select test.enqueue(_queue => 'one') as a, test.enqueue(_queue => 'one') as b \gset
call worker.process_tasks();
select is(test.effects('ok'), 2::bigint, 'both ran, one after the other');
select * from finish();
rollback;
