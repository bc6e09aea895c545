begin;
select plan(24);
set local client_min_messages = error;
select internal.allow_function('test.raises'), internal.allow_function('test.ok');
select array_agg(test.enqueue('test.raises', jsonb_build_object('n', n)) order by n) as ids from generate_series(1, 5) as n \gset
select test.run(i) from unnest(:'ids'::bigint[]) as i;
select act_id as act, counted, coalesce(cursor::text, 'none') as cursor, examples from queues.preview_bulk('task_retry', _outcome => 'failed') \gset
select is(:counted, 5, 'five have failed');
select is(:'cursor'::text, 'none', 'and there are no more');
select is((:'examples'::jsonb #>> '{0,task_id}')::bigint, (:'ids'::bigint[])[5], 'the newest is the first example');
select is((select state || ' ' || counted || ' ' || remaining from queues.bulk_state where act_id = :act), 'previewed 5 5', 'nothing is done yet');
-- What happens between the count and the act.
select test.run(test.enqueue('test.raises'));
select queues.retry_task((:'ids'::bigint[])[2]) as by_hand \gset
select is((select (done, skipped, refused, is_finished)::text from queues.run_bulk(:act, 3)), '(2,1,0,f)', 'a batch: one was retried by hand meanwhile');
select is((select state || ' ' || done || ' ' || skipped || ' ' || remaining from queues.bulk_state where act_id = :act), 'running 2 1 2', 'progress can be read');
select is((select (done, skipped, refused, is_finished)::text from queues.run_bulk(:act, 3)), '(2,0,0,t)', 'the rest');
select is((select (done, skipped, refused, is_finished)::text from queues.run_bulk(:act, 3)), '(0,0,0,t)', 'a call too many does nothing');
select is((select state from queues.bulk_state where act_id = :act), 'done', 'it is done');
select is((select array_agg(c order by t) from (select t, (select count(*) from queues.task as x where x.retry_of = t) as c from unnest(:'ids'::bigint[]) as t) as n),
    array[1, 1, 1, 1, 1]::bigint[], 'one retry each');
select is((select count(*) from queues.task where retry_of is not null), 5::bigint, 'the failure after the count is not touched');
select is((select result || ': ' || message from queues.bulk_done where act_id = :act and result <> 'done'), format('skipped: task %s was retried already, as task %s', (:'ids'::bigint[])[2], :by_hand), 'each id has its own result');
select is((select count(*) from queues.bulk_done as d join queues.task as t on t.task_id = d.new_task_id and t.retry_of = d.target_id where d.act_id = :act), 4::bigint, 'with the new task');
select is((select array_agg(a.action || ' ' || (a.detail->>'counted') order by a.audit_id) from queues.audit as a where a.object = :'act' and a.action like 'bulk%'), array['bulk_task_retry 5'], 'one entry in the audit for all');
select is((select count(*) from queues.audit as a where a.action = 'retry_task'), 1::bigint, 'and none for each task');
select is((select array_agg((t.payload->>'n')::integer order by t.task_id) from queues.task as t join queues.bulk_done as d on d.new_task_id = t.task_id), array[1, 3, 4, 5], 'in the order of the old ones');

-- Acts by ids, and the same id in two acts.
select act_id as act, counted from queues.preview_bulk('task_retry', _ids => array[:by_hand, :by_hand, 999999999, (:'ids'::bigint[])[1]]) \gset
select is(:counted, 3, 'ids are counted once');
select is((select (done, skipped, refused, is_finished)::text from queues.run_bulk(:act)), '(0,3,0,t)', 'open, unknown and retried ones are skipped');

-- A stop is for good.
select test.run(i) from unnest(array(select test.enqueue('test.raises') from generate_series(1, 3))) as i;
select act_id as act from queues.preview_bulk('task_retry', _type => 'db_function') \gset
select queues.run_bulk(:act, 1);
select is(queues.stop_bulk(:act), true, 'it is stopped');
select throws_ok(format('select queues.run_bulk(%s)', :act), '55000', format('act %s was stopped', :act), 'and does not go on');
select is((select state || ' ' || done from queues.bulk_state where act_id = :act), 'stopped 1', 'what is done stays done');
select throws_ok('select queues.run_bulk(999999)', 'P0002', 'act 999999 does not exist', 'an unknown act');
select throws_ok(format('select queues.run_bulk(%s, %s)', :act, n), null, null, 'a limit of ' || coalesce(n, 'null')) from unnest(array['0']) as n;
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
