begin;
select plan(2);
select test.enqueue_email() as mail \gset
select test.lease(:mail);
select throws_ok(format('select queues.execute(test.worker(), %s, 1)', :mail), '22023', null, 'refused');
select is(test.place(:mail), 'running', 'and nothing has happened to it');
select * from finish();
rollback;
