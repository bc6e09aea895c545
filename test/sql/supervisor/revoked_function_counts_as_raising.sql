begin;
select plan(2);
select test.process(1, 'end') as id \gset
select test.process_id(1) as process \gset
select internal.revoke_function('test.supervise');
select is(test.run(:id), 'failed', 'failed');
select is(test.open_ticks(:process), 1::bigint, 'the chain goes on');
select * from finish();
rollback;
