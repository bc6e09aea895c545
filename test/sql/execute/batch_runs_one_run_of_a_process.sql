-- Two runs of one process are leased: the second is left for the next call, which sees the end of the first.
-- The second batch is given time: that of queues.execute_batch may be over after one run on a busy machine.
begin;
select plan(6);
select test.process(1, 'again') as a \gset
select test.process(2, 'end') as other \gset
select test.enqueue('test.supervise', '{"id": 1}') as b \gset
select test.lease(:a), test.lease(:b), test.lease(:other);
create temp table first as select * from queues.execute_batch(test.worker(), array[:a, :b, :other]::bigint[], array[1, 1, 1]);
select is((select array_agg(task_id) from first), array[:a]::bigint[], 'of the first process one run');
select is(test.place(:b) || ' ' || test.place(:other), 'running running', 'the others are still leased');
create temp table second as select * from internal.run_batch(test.worker(), array[:b, :other]::bigint[], array[1, 1], interval '1 hour', false);
select is((select array_agg(task_id order by task_id) from second), (select array_agg(t order by t) from unnest(array[:b, :other]::bigint[]) as t), 'runs of two processes go together');
select is((select array_agg(run_no order by run_no) from queues.process_run where process_id = test.process_id(1)), array[1, 2], 'each run is counted');
select is(test.open_ticks(test.process_id(1)), 1::bigint, 'and one is left open');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
