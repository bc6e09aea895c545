begin;
select plan(5);
select queues.set_retry_policy('command', 'act', 3, '[10]');
select worker.enqueue('act', '{"mode": "serial", "children": [{"n": 1, "succeeds_at": 2}, {"n": 2}]}') as id \gset
select test.run_command(:id);
select (test.children(:id))[1] as one, (test.children(:id))[2] as other \gset
select test.run_command(:one);
select is((select phase from queues.ready where task_id = :other)::text, 'b', 'the next child stays blocked');
select is((select count(*) from queues.ready where parent_id = :id and phase is null), 1::bigint, 'one child waits to run: the next attempt');
select queues.set_test_clock(now());
call worker.process_tasks(p_ahead => interval '1 hour');
select is((select array_agg(detail->>'n' order by effect_id) from test.effect where detail ? 'n'), array['1', '2'], 'the order of the children holds');
select is(test.state(:id), 'completed', 'all is done');
select is(test.violations(), '', 'the facts agree');
select * from finish();
rollback;
