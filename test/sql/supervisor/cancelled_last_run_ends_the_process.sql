begin;
select plan(2);
select test.process(1, 'again') as id \gset
select is(queues.cancel_task(:id, 'enough'), 'cancelled', 'cancelled');
select is((select (run_no, reason, message)::text from queues.process_ended where process_id = test.process_id(1)), '(0,cancelled,enough)', 'an end fact');
select * from finish();
rollback;
