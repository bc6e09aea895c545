begin;
select plan(2);
select test.enqueue(_at => now() - interval '2 s') as b \gset
select test.enqueue(_at => now() - interval '1 s') as c1 \gset
select test.enqueue(_at => now() - interval '1 s') as c2 \gset
select test.enqueue(_at => now() + interval '1 hour') as future \gset
select test.enqueue(_at => now() - interval '1 s', _priority => -1) as a \gset
select is((select array_agg(task_id order by n) from queues.claim(test.worker(), _limit => 10) with ordinality as c(task_id, lease_no, task_type, adapter, queue, priority, available_at, mode, timeout, expires_at, crash_count, run_alone, n)),
          array[:a, :b, :c1, :c2]::bigint[], 'priority, time, id; the future one is left');
select is(test.place(:future), 'ready', 'the future one waits');
select * from finish();
rollback;
