begin;
select plan(1);
select queues.set_test_clock('2030-01-01 09:00+00');
select throws_ok('set constraints all immediate', '55000', null, 'the commit would fail');
select * from finish();
rollback;
