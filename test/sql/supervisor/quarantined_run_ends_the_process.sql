begin;
select plan(3);
select queues.enqueue('db_function', '{"db_function": "test.supervise", "id": 1}', _max_crashes => 1) as id \gset
select test.lease(:id), test.expire(:id), test.take_back();
select is(test.outcome(:id), 'quarantined', 'quarantined');
select is((select (run_no, reason)::text from queues.process_ended where process_id = test.process_id(1)), '(0,quarantined)', 'an end fact, before any run');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
