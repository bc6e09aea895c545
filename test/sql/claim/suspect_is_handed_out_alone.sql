begin;
select plan(3);
select test.enqueue() from generate_series(1, 3);
select min(task_id) as suspect from queues.ready \gset
update queues.ready set crash_count = 2 where task_id = :suspect;
create temp table alone as select * from queues.claim(test.worker(), _limit => 10);
select is((select array_agg(task_id) from alone), array[:suspect]::bigint[], 'the first in order goes alone');
select ok((select run_alone and crash_count = 2 from alone), 'and is marked');
select is((select count(*) from queues.claim(test.worker('two'), _limit => 10)), 2::bigint, 'the others are free for another worker');
select * from finish();
rollback;
