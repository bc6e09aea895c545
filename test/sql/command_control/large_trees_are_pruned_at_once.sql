-- slow: make check leaves this file out
begin;
select plan(3);
select worker.enqueue('act', jsonb_build_object('children', (select jsonb_agg('{"n": 1}'::jsonb) from generate_series(1, 300)))) as id, worker.enqueue('act') as other \gset
call worker.process_tasks();
select is(queues.prune(interval '0', 100), 301::bigint, 'a tree that is larger than the limit goes alone, and whole');
select is(queues.prune(interval '0', 100), 1::bigint, 'then the rest');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
