begin;
select plan(1);
select test.enqueue(_at => now() + interval '1 hour') as id \gset
select queues.set_test_clock(now() + interval '1 day');
select is((select count(*) from queues.claim(test.worker())), 0::bigint, 'it is not due for a claim');
select * from finish();
rollback;
