begin;
select plan(3);
select test.enqueue() as id \gset
select internal.revoke_function('test.ok');
select is(test.run(:id), 'failed', 'failed');
select is(test.last_error(:id), 'function "test.ok" is not registered', 'the text says why');
select is(test.effects('ok'), 0::bigint, 'nothing ran');
select * from finish();
rollback;
