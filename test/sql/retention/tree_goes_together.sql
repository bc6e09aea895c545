begin;
select plan(2);
select test.enqueue() as parent, test.enqueue() as child, test.enqueue() as late \gset
select test.unguard('queues.task');
update queues.task set parent_id = :parent where task_id in (:child, :late);
alter table queues.task enable trigger user;
select test.run(:parent), test.run(:child);
select is(queues.prune(interval '0'), 0::bigint, 'while a child is open all of it stays');
select test.run(:late);
select is(queues.prune(interval '0'), 3::bigint, 'then it goes');
select * from finish();
rollback;
