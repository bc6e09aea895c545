begin;
select plan(6);
select worker.enqueue('hooked', '{"before": "P0001"}') as id \gset
select is(test.run_command(:id), 'completed', 'the step ends it');
select is(test.state(:id), 'failed', 'as failed');
select is((select array_agg(what order by effect_id) from test.effect), array['hook_after'], 'no handler, and the after hook');
select is((select source from queues.error where task_id = :id), 'before_procedure', 'the fact names the hook');
select matches(test.error_of(:id), '^Error: before boom', 'with its message');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
