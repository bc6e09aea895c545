begin;
select plan(24);
select is(extract(epoch from internal.retry_wait(n, 0))::integer, w, format('after %s failures', n))
from unnest(array[5, 9, 17, 32, 59, 107, 192, 341, 597, 1024, 1707, 2731, 4096, 5461, 5461, 5461]) with ordinality as x(w, o)
cross join lateral (select (o - 1)::integer as n) as y;
create temp table waits as select internal.retry_wait(0, 1) as wait from generate_series(1, 100);
select ok(bool_and(wait between interval '2.5 seconds' and interval '7.5 seconds'), 'jitter spreads it') from waits;
select ok(bool_or(wait < interval '5 seconds') and bool_or(wait > interval '5 seconds'), 'to both sides') from waits;
-- Four runs, and no more.
select test.job(_retry_limit => 3) as id \gset
select test.answer_job(:id, 404);
select is(test.job_wait(:id), 5.000, 'the first wait');
select test.answer_job(:id, 404);
select is(test.job_wait(:id), 9.000, 'the second');
select test.answer_job(:id, 404), test.answer_job(:id, 404);
select results_eq(format('select job_status::text, retry_count from pgqueue.job_queue where job_id = %s', :id), $$values ('too_many', 4)$$,
    'the fourth failure is the last');
select is((select array_agg(f.job_run order by f.job_run) from pgqueue.failed_log as f where f.job_id = :id), array[1, 2, 3, 4], 'all in the log');
select is((select count(*) from queues.ready), 0::bigint, 'it is never run again');
select test.job(_retry_limit => 0) as id \gset
select test.answer_job(:id, 404);
select is(test.job_status(:id), 'too_many', 'no retry at all');
select * from finish();
rollback;
