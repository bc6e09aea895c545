begin;
select plan(4);
select test.process(1, 'again') as id \gset
select test.process_id(1) as process \gset
select test.lease(:id);
select is(queues.end_process(:process, 'not wanted'), true, 'it was live');
select is((select count(*) from queues.process_ended where process_id = :process), 0::bigint, 'not ended before the run has');
select is((select outcome from queues.execute(test.worker(), :id, 1)), 'cancelled', 'the run respects it');
select is((select reason from queues.process_ended where process_id = :process), 'cancelled', 'then it has ended');
select * from finish();
rollback;
