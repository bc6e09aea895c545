begin;
select plan(6);
select test.enqueue() as id \gset
select is((select lease_no from queues.claim(test.worker())), 1, 'leased');
select is((select array_agg(r) from queues.release(test.worker(), array[:id]::bigint[], array[1], interval '1 hour') as r), array[:id]::bigint[], 'given back');
select is((select how from queues.task_lease_ended where task_id = :id), 'released', 'the fact says so');
select ok((select crash_count is null from queues.ready where task_id = :id), 'no crash');
select ok((select available_at from queues.ready where task_id = :id) between now() + interval '59 minutes' and now() + interval '61 minutes', 'later by the delay');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
