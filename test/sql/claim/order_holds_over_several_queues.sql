begin;
select plan(2);
select queues.create_queue('qa'), queues.create_queue('qb');
select test.enqueue(_at => now() - interval '1 s', _queue => 'qa') as d \gset
select test.enqueue(_at => now() - interval '3 s', _queue => 'qb') as b \gset
select test.enqueue(_at => now() - interval '2 s', _queue => 'qa') as c \gset
select test.enqueue(_at => now(), _queue => 'qb', _priority => -5) as a \gset
create temp table taken as select row_number() over () as n, task_id from queues.claim(test.worker(), _limit => 3);
select is((select array_agg(task_id order by n) from taken), array[:a, :b, :c]::bigint[], 'one order over all of them');
select is((select task_id from queues.claim(test.worker(), array['qa'])), :d, 'the last is left for the next claim');
select * from finish();
rollback;
