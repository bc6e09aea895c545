begin;
select plan(1);
select test.process(1, 'again') as id \gset
select throws_ok(format('select queues.revive_process(%s)', test.process_id(1)), '55000', null, 'it has an open run');
select * from finish();
rollback;
