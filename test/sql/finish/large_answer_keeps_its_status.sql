begin;
select plan(3);
create temp table answered as select s, queues.enqueue('http', '{"request": {"url": "https://x/"}}') as id from unnest(array[200, 404]) as s;
select test.dispatch(id) from answered;
select queues.finish(test.worker(), id, 1, 'answered', jsonb_build_object('status', s, 'body', repeat('x', 100000))) from answered;
select is(test.outcome(id), case when s = 200 then 'succeeded' else 'failed' end, s::text) from answered;
select is((select error_message from queues.error), 'http status 404', 'the error tells it');
select * from finish();
rollback;
