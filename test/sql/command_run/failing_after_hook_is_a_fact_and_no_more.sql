begin;
select plan(5);
select worker.enqueue('hooked', '{"after": "P0001"}') as id \gset
select is(test.run_command(:id), 'succeeded', 'the run succeeded');
select is(test.state(:id), 'completed', 'and stays so');
select is((select array_agg(what order by effect_id) from test.effect), array['hook_before', 'act'], 'what the hook wrote is undone');
select is((select source from queues.error where task_id = :id), 'after_procedure', 'its error is a fact');
select is(test.error_of(:id), null, 'but not one of the task');
select * from finish();
rollback;
