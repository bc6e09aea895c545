begin;
select plan(6);
create temp table answered as select s, queues.enqueue('http', '{"request": {"url": "https://x/"}}') as id from unnest(array[200, 299, 301, 404, 500, 100]) as s;
select test.dispatch(id) from answered;
select queues.finish(test.worker(), id, 1, 'answered', jsonb_build_object('status', s)) from answered;
select is(test.outcome(id), case when s / 100 = 2 then 'succeeded' else 'failed' end, s::text) from answered;
select * from finish();
rollback;
