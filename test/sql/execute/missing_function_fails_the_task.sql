begin;
select plan(2);
select queues.enqueue('db_function', '{}') as id \gset
select is(test.run(:id), 'failed', 'failed');
select is(test.last_error(:id), 'db_function field is missing in payload', 'the text says why');
select * from finish();
rollback;
