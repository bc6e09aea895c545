begin;
select plan(6);
select worker.enqueue('hooked', '{"n": 1}') as id \gset
select mode, run_alone, lease_no as lease from queues.claim(test.worker()) \gset
select is(:'mode'::text, 'prepare', 'the claim says that there is a step before');
select is((select decision from queues.begin_dispatch(test.worker(), :id, :lease)), 'run', 'which goes on with the run');
select is((select array_agg(what order by effect_id) from test.effect), array['hook_before'], 'after the hook');
select outcome from queues.execute(test.worker(), :id, :lease);
select is((select array_agg(what order by effect_id) from test.effect), array['hook_before', 'act', 'hook_after'], 'then handler and after hook');
select is((select count(distinct detail) from test.effect), 1::bigint, 'all with the same payload and task');
select is(test.state(:id), 'completed', 'and it is done');
select * from finish();
rollback;
