begin;
select plan(4);
select test.enqueue() as id \gset
select is(queues.complete_task(:id), 'not_leased', 'the task waits');
select throws_ok('select queues.complete_task(999999999)', 'P0002', null, 'unknown task');
select throws_ok('select queues.complete_task(null)', '22004', null, 'no task');
select throws_ok(format('select queues.complete_task(%s, null, %L)', :id, 'done'), '22023', null, 'unknown outcome');
select * from finish();
rollback;
