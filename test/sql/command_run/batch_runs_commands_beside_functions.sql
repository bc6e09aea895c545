begin;
select plan(4);
select worker.enqueue('plain') as a, test.enqueue() as b, worker.enqueue('act', '{"raise": "P0001"}') as c, worker.enqueue('act', '{"children": [{"n": 1}]}') as d, worker.enqueue('act', '{"info": {"x": 1}}') as e \gset
select array_agg(test.lease(i) order by n) as leases from unnest(array[:a, :b, :c, :d, :e]::bigint[]) with ordinality as t(i, n) \gset
select is((select array_agg(array[task_id::text, outcome] order by task_id) from internal.run_batch(test.worker(), array[:a, :b, :c, :d, :e], :'leases', '1 minute', false)),
    array[array[:'a', 'succeeded'], array[:'b', 'succeeded'], array[:'c', 'failed'], array[:'d', 'waiting'], array[:'e', 'succeeded']], 'each with its own end');
select is(test.info(:e), '{"x": 1}', 'info is of its own task');
select is(test.info(:a), null, 'and of no other');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
