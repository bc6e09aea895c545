begin;
select plan(2);
select test.process(1, 'again') as id \gset
select test.process_id(1) as process \gset
select test.run(:id);
update test.script set act = 'spawn' where id = 1;
select test.run_ticks(:process, 1);
update test.script set act = 'again' where id = 1;
select is(test.run_ticks(:process, 40), 40, 'forty runs while a task of its own is open');
select is((select (quiet_runs > 30, idle_runs)::text from queues.process_run where process_id = :process order by run_no desc limit 1), '(t,0)', 'quiet, not idle');
select * from finish();
rollback;
