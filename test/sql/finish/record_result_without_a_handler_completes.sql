begin;
select plan(1);
select queues.enqueue('http', '{"request": {"url": "https://x/"}}') as id \gset
select test.dispatch(:id);
select is(queues.record_result(test.worker(), :id, 1, 'answered', '{"status": 200}'), 'completed', 'there is nothing to run');
select * from finish();
rollback;
