begin;
select plan(12);
select is(internal.run_function('test.answer', '{"answer": {"a": 1}}'), '{"a": 1}', 'the result as it is');
select is(internal.run_function('test.answer', null), '{}', 'null becomes an empty object, both ways');
select throws_ok(format('select internal.run_function(%L, %L)', n, '{}'), '42501', null, n)
from unnest(array['test.secret', 'test.facts', 'test.ok(jsonb)', 'ok', 'pg_catalog.pg_sleep', 'test.ok; drop table queues.task',
                  'TEST.OK', '"test"."ok"']) as n;
select throws_ok($$select internal.run_function(null, '{}')$$, '22004', null, 'no name');
select throws_ok($$select internal.run_function('test.raises', '{"sqlstate": "22012"}')$$, '22012', null, 'errors pass through');
select * from finish();
rollback;
