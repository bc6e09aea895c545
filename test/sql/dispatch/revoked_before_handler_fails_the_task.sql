begin;
select plan(2);
select test.enqueue_email() as id \gset
select internal.revoke_function('test.before');
select is(test.dispatch(:id), 'completed', 'decided');
select is(test.last_error(:id), 'function "test.before" is not registered', 'the text says why');
select * from finish();
rollback;
