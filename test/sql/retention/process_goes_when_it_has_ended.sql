begin;
select plan(3);
select test.process(1, 'again') as id \gset
select test.run(:id);
select is(queues.prune(interval '0'), 0::bigint, 'a live process stays whole');
update test.script set act = 'end';
select test.run_ticks(test.process_id(1), 1);
select is(queues.prune(interval '0'), 2::bigint, 'an ended one goes');
select is((select count(*) from queues.process) + (select count(*) from queues.process_run) + (select count(*) from queues.process_ended), 0::bigint, 'with all its facts');
select * from finish();
rollback;
