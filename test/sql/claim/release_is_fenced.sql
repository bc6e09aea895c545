begin;
select plan(6);
select test.enqueue() as id \gset
select test.enqueue_email() as sent \gset
select test.lease(:id), test.dispatch(:sent);
select is((select count(*) from queues.release(test.worker('two'), array[:id]::bigint[], array[1])), 0::bigint, 'not by another worker');
select is((select count(*) from queues.release(test.worker(), array[:id]::bigint[], array[2])), 0::bigint, 'not with another number');
select is((select count(*) from queues.release(test.worker(), array[:sent]::bigint[], array[1])), 0::bigint, 'not after a dispatch');
select throws_ok($$select queues.release(test.worker(), array[1]::bigint[], '{}')$$, '22023', null, 'arrays of different length');
select throws_ok($$select queues.release(test.worker(), '{}', '{}', '-1 s')$$, '22023', null, 'a negative delay');
select is((select count(*) from queues.release(test.worker(), array[:id]::bigint[], array[1])), 1::bigint, 'by its holder');
select * from finish();
rollback;
