-- More is running than the limit now allows: nothing is claimed until there is room, and other queues go on.
begin;
select plan(3);
select queues.create_queue('narrow', _max_running => 3), queues.create_queue('wide');
select test.enqueue(_queue => 'narrow') from generate_series(1, 5);
select is((select count(*) from queues.claim(test.worker(), _limit => 10)), 3::bigint, 'as many as the limit');
update queues.queue set max_running = 1 where queue = 'narrow';
select is((select count(*) from queues.claim(test.worker(), array['narrow'], _limit => 10)), 0::bigint, 'none above a lower limit');
select test.enqueue(_queue => 'wide') as other \gset
select is((select array_agg(task_id) from queues.claim(test.worker(), _limit => 10)), array[:other]::bigint[], 'and another queue is served');
select * from finish();
rollback;
