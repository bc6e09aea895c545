begin;
select plan(1);
select queues.create_queue('two', 2);
select test.enqueue(_queue => 'two', _priority => p) from generate_series(1, 4) as p;
create temp table taken as select * from queues.claim(test.worker(), array['two'], _limit => 10);
select is((select array_agg(priority order by priority) from taken), array[1, 2]::bigint[], 'the most urgent two');
select * from finish();
rollback;
