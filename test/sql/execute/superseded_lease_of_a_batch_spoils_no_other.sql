begin;
select plan(3);
select test.enqueue() as old, test.enqueue() as live \gset
select test.lease(:old);
select test.expire(:old), test.take_back();
select test.lease(:old), test.lease(:live);
create temp table answer as select * from queues.execute_batch(test.worker(), array[:old, :live]::bigint[], array[1, 1]);
select is((select sqlstate from answer where task_id = :old), 'QU002', 'the superseded lease is refused');
select is((select outcome from answer where task_id = :live), 'succeeded', 'the other task of the batch runs');
select is(test.effects('ok'), 1::bigint, 'one effect');
select * from finish();
rollback;
