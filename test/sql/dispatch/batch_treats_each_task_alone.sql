begin;
select plan(5);
select test.enqueue_email() as good \gset
select test.enqueue_email('{"before": "raise"}') as bad \gset
select test.enqueue_email('{"before": "lock"}') as passing \gset
select test.lease(:good), test.lease(:bad), test.lease(:passing);
create temp table answer as select * from queues.begin_dispatch_batch(test.worker(), array[:good, :bad, :passing, 999999999]::bigint[], array[1, 1, 1, 1]);
select is((select decision from answer where task_id = :good), 'send', 'one is sent');
select is((select decision from answer where task_id = :bad), 'completed', 'one has failed');
select is((select (decision, sqlstate)::text from answer where task_id = :passing), '(,55P03)', 'one met a passing error');
select is((select decision from answer where task_id = 999999999), 'fenced', 'one is unknown');
select throws_ok($$select queues.begin_dispatch_batch(test.worker(), array[1]::bigint[], array[1, 2])$$, '22023', null, 'arrays of different length');
select * from finish();
rollback;
