begin;
select plan(4);
select test.enqueue() as task \gset
update internal.allowed_function set kind = 'before' where function_name = 'test.ok';
select is(test.run(:task), 'failed', 'the place is checked again at the run');
select is(test.last_error(:task), 'function "test.ok" is not registered', 'and said');
update internal.allowed_function set kind = 'task' where function_name = 'test.ok';
select test.enqueue('test.ok', '{"success_handler": "test.success"}') as task \gset
update internal.allowed_function set kind = 'before' where function_name = 'test.success';
select is(test.run(:task), 'failed', 'so is that of a handler');
select is(test.effects('success'), 0::bigint, 'which is not called');
select * from finish();
rollback;
