begin;
select plan(3);
select queues.enqueue('noop', '{}') as task \gset
select test.lease(:task);
select is((select count(*) from queues.complete_noop(test.worker('two'), array[:task]::bigint[], array[1])), 0::bigint, 'not by another worker');
select is((select count(*) from queues.complete_noop(test.worker(), array[:task]::bigint[], array[2])), 0::bigint, 'not with another number');
select is(test.place(:task), 'running', 'it is still leased');
select * from finish();
rollback;
