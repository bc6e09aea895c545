begin;
select plan(4);
select queues.enqueue('http', '{"request": {"url": "https://example.com/", "body": {"a": 1}}}') as id \gset
select test.lease(:id);
create temp table sent as select * from queues.begin_dispatch(test.worker(), :id, 1);
select is((select (decision, request->>'url')::text from sent), '(send,https://example.com/)', 'the request is in the payload');
select is((select body from sent), '{"a": 1}', 'the body is the exact text');
select queues.enqueue('http', '{}') as empty \gset
select is(test.dispatch(:empty), 'completed', 'without a request');
select is(test.last_error(:empty), 'http payload: missing "url"', 'it fails');
select * from finish();
rollback;
