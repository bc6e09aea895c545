begin;
select plan(5);
select test.process(1, 'again') as id \gset
select test.process_id(1) as process \gset
select is(queues.end_process(:process, 'not wanted'), true, 'it was live');
select is(test.outcome(:id), 'cancelled', 'its run is cancelled');
select is((select (reason, message)::text from queues.process_ended where process_id = :process), '(cancelled,"not wanted")', 'an end fact');
select is(queues.end_process(:process, 'again'), false, 'it is not live any more');
select throws_ok($$select queues.end_process(999999, 'x')$$, 'P0002', null, 'unknown process');
select * from finish();
rollback;
