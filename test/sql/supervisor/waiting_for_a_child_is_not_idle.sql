begin;
select plan(1);
select test.process(1, 'child') as id \gset
select test.process_id(1) as process \gset
select test.run(:id);
update test.script set act = 'again' where id = 1;
select is(test.run_ticks(:process, 40), 40, 'forty runs while a child process is open');
select * from finish();
rollback;
