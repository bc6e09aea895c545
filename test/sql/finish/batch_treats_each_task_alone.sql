begin;
select plan(6);
select test.enqueue_email() as good \gset
select test.enqueue_email('{"on_success": "raise"}') as bad \gset
select test.enqueue() as wrong \gset
select test.dispatch(:good), test.dispatch(:bad), test.lease(:wrong);
create temp table answer as select * from queues.finish_batch(test.worker(), array[:good, :bad, :wrong]::bigint[], array[1, 1, 1],
    array['succeeded', 'succeeded', 'succeeded'], array['{"n": 1}', '{"n": 2}', null]::jsonb[]);
select is((select result from answer where task_id = :good), 'completed', 'one');
select is((select result from answer where task_id = :bad), 'handler_failed', 'another');
select is((select (result, sqlstate)::text from answer where task_id = :wrong), '(,22023)', 'a refused one');
select is(test.place(:wrong), 'running', 'is left alone');
select throws_ok($$select queues.finish_batch(test.worker(), array[1, 2]::bigint[], array[1, 1], array['failed'])$$, '22023', null, 'arrays of different length');
select throws_ok($$select queues.finish_batch(test.worker(), array[1]::bigint[], array[1], array['failed'], array[null, null]::jsonb[])$$, '22023', null, 'of results, too');
select * from finish();
rollback;
