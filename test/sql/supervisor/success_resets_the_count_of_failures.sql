begin;
select plan(1);
select test.process(1, 'raise') as id \gset
select test.process_id(1) as process \gset
select test.run_ticks(:process, 3);
update test.script set act = 'again' where id = 1;
select test.run_ticks(:process, 1);
update test.script set act = 'raise' where id = 1;
select test.run_ticks(:process, 1);
select is((select failures from queues.process_run where process_id = :process order by run_no desc limit 1), 1, 'one in a row');
select * from finish();
rollback;
