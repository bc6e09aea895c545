begin;
select plan(3);
select test.enqueue('test.answer', '{"answer": {"status": "succeeded", "payload": 5}, "success_handler": "test.success"}') as id \gset
select is(test.run(:id), 'succeeded', 'succeeded');
select is((select detail->'worker_payload' from test.effect where what = 'success'), '{"status": "succeeded", "payload": 5}', 'the handler gets the answer');
select is((select detail #>> '{original_payload,db_function}' from test.effect where what = 'success'), 'test.answer', 'and the payload');
select * from finish();
rollback;
