begin;
select plan(1);
set local statement_timeout = '5s';
select test.enqueue() as id \gset
delete from queues.ready where task_id = :id;
select throws_ok(format('select queues.cancel_task(%s)', :id), '55000', null, 'it is in no place: refused');
select * from finish();
rollback;
