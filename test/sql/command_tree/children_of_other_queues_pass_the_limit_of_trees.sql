begin;
select plan(3);
set local client_min_messages = error;
update queues.queue set top_level_limit = 2, max_running = 4 where queue = 'trees';
select worker.enqueue('act', '{"n": 0}') as parent \gset
select worker.spawn('tree', '{"n": 1}', :parent), worker.spawn('tree', '{"n": 2}', :parent), worker.spawn('tree', '{"n": 3}', :parent);
select worker.enqueue('tree', '{"top": 1}', null, -5), worker.enqueue('tree', '{"top": 2}', null, -4), worker.enqueue('tree', '{"top": 3}', null, -3);
select is((select count(*) from queues.claim(test.worker(), '{trees}', _limit => 10)), 4::bigint, 'four at once');
select is((select count(*) from queues.running as r join queues.task as t using (task_id) where t.queue = 'trees' and r.parent_id is null), 2::bigint, 'two of them begin a tree');
select is((select count(*) from queues.running as r where r.parent_id = :parent), 2::bigint, 'the others belong to one');
select * from finish();
rollback;
