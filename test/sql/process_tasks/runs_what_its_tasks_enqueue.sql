begin;
select plan(1);
select test.enqueue('test.spawns');
call worker.process_tasks();
select is(test.effects('ok'), 1::bigint, 'the spawned one, too');
select * from finish();
rollback;
