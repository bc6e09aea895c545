begin;
select plan(4);
select set_config('reeve.test_clock', 'on', true);
select ok(queues.clock() between now() and clock_timestamp(), 'the real time');
select throws_ok($$call worker.process_tasks(p_ahead => '1 day')$$, '55000', null, 'and process_tasks does not move ahead');
select test.enqueue(_at => now() + interval '1 hour') as id \gset
select ok((select n.task_id is null from internal.lease_next(internal.test_worker(), null, null, false, now() + interval '1 day') as n), 'nor does a step of it');
select ok(queues.clock() < now() + interval '1 minute', 'still the real time');
select * from finish();
rollback;
