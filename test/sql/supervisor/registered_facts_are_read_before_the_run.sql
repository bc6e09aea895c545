begin;
select plan(4);
insert into public.test_fact values (1, 5);
select test.process(1, 'again', 'test.supervise_with_facts') as id \gset
select test.process_id(1, 'test.supervise_with_facts') as process \gset
select is(test.run(:id), 'non_success', 'the facts function finds its table by the path of handlers');
select is((select facts from queues.process_run where process_id = :process), '{"n": 5}', 'facts of the run');
select test.run_ticks(:process, 2);
select is((select quiet_runs from queues.process_run where process_id = :process order by run_no desc limit 1), 2, 'equal facts: quiet');
insert into public.test_fact values (1, 1);
select test.run_ticks(:process, 1);
select is((select quiet_runs from queues.process_run where process_id = :process order by run_no desc limit 1), 0, 'other facts: not');
select * from finish();
rollback;
