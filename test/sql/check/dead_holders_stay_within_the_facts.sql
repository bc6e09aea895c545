-- Crashes, an abandoned lease, doubt with both policies, a cancelled one: then the whole story agrees.
begin;
select plan(5);
select test.enqueue() as twice, test.enqueue_email() as doubt, test.enqueue_email(_on_in_doubt => 'fail') as never, test.enqueue() as cancelled,
       queues.enqueue('db_function', '{"db_function": "test.ok"}', _max_crashes => 1) as poison \gset
select test.lease(:twice), test.dispatch(:doubt), test.dispatch(:never), test.lease(:cancelled), test.lease(:poison);
select queues.cancel_task(:cancelled);
select queues.expire_lease(t) from unnest(array[:twice, :doubt, :never, :cancelled, :poison]::bigint[]) as t;
select is(test.violations(), '', 'after their deaths');
select is((select array_agg(test.place(t) order by n) from unnest(array[:twice, :doubt, :never, :cancelled, :poison]::bigint[]) with ordinality as u(t, n)),
          array['ready', 'ready', 'ready', 'completed', 'completed'], 'each in its place');
select count(*) from queues.claim(test.worker('two'), _limit => 10);
select is(test.violations(), '', 'after the next claim');
select is((select array_agg(phase::text order by task_id) from queues.running), array[null, null, 'h'], 'one is left to its handler');
select is(queues.rebuild_working_set(), 0::bigint, 'nothing to repair');
select * from finish();
rollback;
