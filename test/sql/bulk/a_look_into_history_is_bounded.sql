-- The search goes from the newest backwards, says how far it looked, and goes on from there.
begin;
select plan(14);
set local client_min_messages = error;
select internal.allow_function('test.raises'), internal.allow_function('test.ok');
select array_agg(test.enqueue('test.raises') order by n) as ids from generate_series(1, 10) as n \gset
select test.run(i) from unnest(:'ids'::bigint[]) as i;
select * from queues.preview_bulk('task_retry', _all => true, _scan => 4) \gset
select is(:counted, 4, 'four are looked at');
select is(:scanned, 4, 'and found');
select is(:cursor::bigint, (:'ids'::bigint[])[7], 'the cursor is the oldest of them');
select is(:'oldest_at', (select completed_at::text from queues.task_completed where task_id = :cursor), 'and when it ended');
select is((select array_agg(target_id order by target_id) from queues.bulk_target where act_id = :act_id), (:'ids'::bigint[])[7:10], 'the newest come first');
select test.run(test.enqueue('test.raises'));
select counted, cursor from queues.extend_bulk(:act_id, 4) \gset
select is(:counted, 8, 'it goes on');
select is(:cursor::bigint, (:'ids'::bigint[])[3], 'below the cursor');
select counted, scanned, coalesce(cursor::text, 'none') as cursor from queues.extend_bulk(:act_id, 4) \gset
select is(:counted || ' ' || :scanned || ' ' || :'cursor', '10 10 none', 'until the end, without what came meanwhile');
select counted from queues.extend_bulk(:act_id, 4) \gset
select is(:counted, 10, 'after the end nothing is looked at');
select queues.run_bulk(:act_id, 5);
select throws_ok(format('select * from queues.extend_bulk(%s)', :act_id), '55000', format('act %s has begun', :act_id), 'what has begun grows no more');
select is((select cursor::text from queues.bulk_state where act_id = :act_id), null, 'the state has the cursor');
-- The look at failures does not read successes.
select test.run(test.enqueue('test.ok')) from generate_series(1, 5);
select scanned, cursor from queues.preview_bulk('task_retry', 'failed', _scan => 1) \gset
select is((select outcome from queues.task_completed where task_id = :cursor), 'failed', 'successes cost nothing');
select counted, scanned, cursor from queues.preview_bulk('task_retry', 'succeeded', _scan => 3) \gset
select is(:counted || ' ' || :scanned, '3 3', 'successes can be looked for, too');
select counted, scanned from queues.preview_bulk('task_retry', 'in_doubt', _scan => 5) \gset
select is(:counted || ' ' || :scanned, '0 5', 'a look that finds nothing is bounded as well');
select * from finish();
rollback;
