begin;
select plan(3);
select test.enqueue() as id \gset
select test.lease(:id);
select is(queues.complete_task(:id), 'fenced', 'it was not taken by a dequeue');
select is(test.place(:id), 'running', 'the worker goes on');
select is((select count(*) from queues.late_result), 0::bigint, 'no evidence of a lease that is not ours');
select * from finish();
rollback;
