-- The waits that everybody gets who names no backoff: 5 s, up to a fifth shorter or longer.  2,000 tasks: a tenth of that range has 200 of
-- them on average, and 100 or 300 are eight standard deviations away.
begin;
select plan(3);
select count(*) from queues.enqueue_many('db_function', array_fill('{"db_function": "test.raises"}'::jsonb, array[2000]), _max_attempts => 2);
select internal.retry_tasks(array_agg(row(t.task_id, 0, 'failed', 'failed', null, null)::internal.attempt_end)) from queues.task as t;
create temp table wait as select extract(epoch from t.scheduled_at) as s from queues.task as t where t.retry_of is not null;
select is((select count(*) from wait), 2000::bigint, 'all of them wait');
select ok((select max(s) - min(s) between 1.95 and 2.0 from wait), 'over two seconds');
select ok((select count(*) between 10 and 12 and max(n) < 300 from (
    select count(*) as n from wait group by floor((s - (select min(w.s) from wait as w)) / 0.2)) as b), 'evenly');
select * from finish();
rollback;
