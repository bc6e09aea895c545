begin;
select plan(3);
select test.enqueue() as parent, test.enqueue() as a, test.enqueue() as b \gset
select test.unguard('queues.task');
update queues.task set parent_id = :parent where task_id in (:a, :b);
select test.lease(:b);
select is(queues.cancel_task(:parent, 'all of it'), 'cancelled', 'the parent');
select is(test.outcome(:a), 'cancelled', 'a waiting child');
select is((select count(*) from queues.task_cancel_requested where task_id = :b), 1::bigint, 'a running child is asked');
select * from finish();
rollback;
