begin;
select plan(2);
select queues.enqueue('db_function', '{"db_function": "test.answer", "n": 1}', _dedup_key => 'k') as id \gset
select queues.enqueue('db_function', '{"db_function": "test.ok", "m": 2}', _dedup_key => 'k', _dedup_policy => 'merge');
select is(test.run(:id), 'succeeded', 'the function that was named last runs');
select is((select detail from test.effect), '{"db_function": "test.ok", "n": 1, "m": 2}', 'with the merged payload');
select * from finish();
rollback;
