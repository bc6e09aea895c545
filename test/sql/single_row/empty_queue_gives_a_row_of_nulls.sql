begin;
select plan(4);
select is((select count(*) from queues.dequeue_next_available_task()), 1::bigint, 'one row');
select ok((select t is null from queues.dequeue_next_available_task() as t), 'all null');
select ok((select t is null from queues.dequeue_available_task() as t), 'by its older name, too');
select is((select count(*) from queues.task_lease), 0::bigint, 'no lease');
select * from finish();
rollback;
