begin;
select plan(3);
select queues.set_test_clock();
select test.process(1, 'again') as id \gset
call worker.process_tasks(p_ahead => '25 seconds');
select is((select count(*) from queues.process_run where process_id = test.process_id(1)), 3::bigint, 'at 0, 10 and 20 s');
select ok(queues.clock() between now() + interval '20 s' and now() + interval '30 s', 'the clock stands at the last run');
select is(test.open_ticks(test.process_id(1)), 1::bigint, 'the next one waits');
select * from finish();
rollback;
