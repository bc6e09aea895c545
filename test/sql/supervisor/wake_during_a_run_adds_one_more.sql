begin;
select plan(7);
select test.process(1, 'end') as id \gset
select test.process_id(1) as process \gset
select test.lease(:id);
select is(queues.wake_process('test.supervise', '{"id": 1}'), true, 'live');
select is(test.open_ticks(:process), 2::bigint, 'the run in progress, and one more');
select is((select outcome from queues.execute(test.worker(), :id, 1)), 'succeeded', 'the run ends');
select is((select count(*) from queues.process_ended where process_id = :process), 0::bigint, 'the process has not');
select is(test.run_ticks(:process, 5), 1, 'the other run sees what happened');
select is((select reason from queues.process_ended where process_id = :process), 'succeeded', 'and ends it');
select is(queues.wake_process('test.supervise', '{"id": 1}'), false, 'an ended process is not woken');
select * from finish();
rollback;
