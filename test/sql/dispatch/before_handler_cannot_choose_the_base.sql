begin;
select plan(2);
select queues.enqueue('http', '{"before_handler": "test.before", "request": {"url": "https://example.com/"}, "before": "answer",
    "answer": {"status": "succeeded", "payload": {"url": "https://example.com/", "base": "consumer_edge_base"}}}') as id \gset
select is(test.dispatch(:id), 'completed', 'it is not sent');
select is(test.last_error(:id), 'http payload: "base" cannot be chosen', 'it fails');
select * from finish();
rollback;
