-- Tasks of one lane: those that are due later are left, by each way to claim.
begin;
select plan(4);
select test.enqueue(_at => now() + interval '1 hour') as later \gset
select test.enqueue() as first \gset
select test.enqueue() as second \gset
select is((select array_agg(task_id order by task_id) from queues.claim(test.worker(), _limit => 10)), array[:first, :second]::bigint[], 'a claim');
select is((select count(*) from queues.claim(test.worker(), _limit => 10)), 0::bigint, 'the next finds nothing');
select test.enqueue() as third \gset
select test.enqueue(_at => now() + interval '1 hour', _priority => 7) as other \gset
select test.enqueue(_priority => 7) as fourth \gset
select is((select array_agg(task_id order by task_id) from queues.claim(test.worker(), _limit => 10)), array[:third, :fourth]::bigint[], 'a claim over two lanes');
select is((select array_agg(task_id order by task_id) from queues.ready), array[:later, :other]::bigint[], 'what is left');
select * from finish();
rollback;
