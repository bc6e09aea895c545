begin;
select plan(3);
select test.process(1, 'again') as id \gset
select test.process_id(1) as process \gset
select test.enqueue('test.supervise', '{"id": 1}', now() + interval '1 s' * n) from generate_series(1, 5) as n;
select is(test.open_ticks(:process), 6::bigint, 'extra enqueues are open runs, too');
select test.run(:id);
select is(test.open_ticks(:process), 1::bigint, 'the next run folds them');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
