begin;
select plan(2);
select queues.create_queue('tree', null, 1);
select test.enqueue(_queue => 'tree') as a \gset
select test.enqueue(_queue => 'tree') as b \gset
update queues.ready set phase = 'w', available_at = 'infinity', lease_no = 1 where task_id = :a;
select is((select count(*) from queues.claim(test.worker(), _limit => 10)), 0::bigint, 'a parent that waits holds the place');
delete from queues.ready where task_id = :a;
select is((select task_id from queues.claim(test.worker(), _limit => 10)), :b, 'until it has ended');
select * from finish();
rollback;
