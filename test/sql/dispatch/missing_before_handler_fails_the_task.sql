begin;
select plan(3);
select queues.enqueue('email', '{"error_handler": "test.error"}') as id \gset
select is(test.dispatch(:id), 'completed', 'decided');
select is(test.last_error(:id), 'email task missing before_handler', 'the text says why');
select is((select detail->>'error' from test.effect where what = 'error'), 'email task missing before_handler', 'the error handler is told');
select * from finish();
rollback;
