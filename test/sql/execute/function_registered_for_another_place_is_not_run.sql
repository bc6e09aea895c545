begin;
select plan(2);
select test.enqueue() as task \gset
update internal.allowed_function set kind = 'before' where function_name = 'test.ok';
select is(test.run(:task), 'failed', 'the place is checked again at the run');
select is(test.last_error(:task), 'function "test.ok" is not registered', 'and said');
select * from finish();
rollback;
