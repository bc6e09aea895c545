begin;
select plan(3);
select worker.enqueue('hooked', '{"raise": "P0001"}') as id \gset
select test.run_command(:id);
select is(test.state(:id), 'failed', 'failed');
select is((select array_agg(what order by effect_id) from test.effect), array['hook_before', 'hook_after'], 'the handler is undone, the hook stays');
-- Timed out: the program reports it.
select worker.enqueue('hooked') as id \gset
select test.lease(:id) as lease \gset
select queues.finish(test.worker(), :id, :lease, 'failed', null, 'timed out after 60 s');
select is(array[test.state(:id), test.error_of(:id), test.effects('hook_after')::text], array['failed', 'timed out after 60 s', '2'], 'also when it timed out');
select * from finish();
rollback;
