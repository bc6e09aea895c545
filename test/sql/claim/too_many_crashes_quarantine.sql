begin;
select plan(5);
select queues.enqueue('db_function', '{"db_function": "test.ok"}', _max_crashes => 2) as id \gset
select test.lease(:id), test.expire(:id);
select test.take_back();
select is(test.place(:id), 'ready', 'one death is forgiven');
select test.lease(:id), test.expire(:id);
select test.take_back();
select is(test.outcome(:id), 'quarantined', 'two are not');
select is(test.place(:id), 'completed', 'it is in no other place');
select is((select (sqlstate, source, lease_no)::text from queues.error where task_id = :id), '(QU001,engine,2)', 'an error fact says why');
select is((select count(*) from queues.claim(test.worker())), 0::bigint, 'never handed out again');
select * from finish();
rollback;
