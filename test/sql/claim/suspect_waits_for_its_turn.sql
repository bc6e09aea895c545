begin;
select plan(2);
select test.enqueue() from generate_series(1, 3);
select max(task_id) as suspect from queues.ready \gset
update queues.ready set crash_count = 2 where task_id = :suspect;
select is((select count(*) from queues.claim(test.worker(), _limit => 10)), 2::bigint, 'the others first, without it');
select is((select task_id from queues.claim(test.worker(), _limit => 10)), :suspect, 'then it, alone');
select * from finish();
rollback;
