begin;
select plan(1);
select internal.allow_function('test.supervise', 'supervisor', _process_keys => array['id'], _max_idle_runs => 3);
select test.process(1, 'again') as id \gset
select is(test.run_ticks(test.process_id(1), 50), 4, 'the first run, and three idle ones');
select * from finish();
rollback;
