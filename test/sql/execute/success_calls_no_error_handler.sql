begin;
select plan(2);
select test.enqueue('test.ok', '{"error_handler": "test.error", "success_handler": "test.success"}') as id \gset
select is(test.run(:id), 'succeeded', 'succeeded');
select is(test.effects('error'), 0::bigint, 'not told');
select * from finish();
rollback;
