begin;
select plan(2);
select worker.enqueue('act'), worker.enqueue('act'), worker.enqueue('act');
select is((select count(*) from worker.tasks where command = 'act'), 3::bigint, 'three tasks');
select is((select count(*) from queues.merging), 0::bigint, 'none merged');
select * from finish();
rollback;
