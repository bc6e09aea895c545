begin;
select plan(4);
set local client_min_messages = error;
select worker.register_command('x', 'test.act', 'default', p_dedup_keys => '{}', p_merge_rules => '{"ids": "union"}');
select worker.enqueue('x', '{"ids": [1], "raise": "40001"}') as id, worker.enqueue('x', '{"ids": [2]}') \gset
select test.lease(:id) as lease \gset
select throws_ok(format('select * from queues.execute(test.worker(), %s, %s)', :id, :lease), '40001', null, 'the run is undone whole');
select is((select count(*) from queues.merging), 1::bigint, 'and with it the taking of the merge');
select outcome from queues.execute_batch(test.worker(), array[:id], array[:lease]);
select is((select payload from queues.ready where task_id = :id), '{"ids": [1, 2], "raise": "40001", "command": "x"}', 'in a batch the task keeps what it took');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
