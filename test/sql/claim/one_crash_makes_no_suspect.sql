begin;
select plan(1);
select test.enqueue() from generate_series(1, 3);
update queues.ready set crash_count = 1 where task_id = (select min(task_id) from queues.ready);
select is((select count(*) from queues.claim(test.worker(), _limit => 10)), 3::bigint, 'one death is usually the machine''s');
select * from finish();
rollback;
