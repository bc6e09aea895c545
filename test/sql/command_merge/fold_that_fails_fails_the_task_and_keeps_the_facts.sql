begin;
select plan(6);
set local client_min_messages = error;
create function test.merge_later(_old jsonb, _new jsonb) returns jsonb language sql as $$ select _old || _new $$;
select worker.register_command('x', 'test.plain', 'default', p_dedup_keys => '{}', p_merge_function => 'test.merge_later');
select worker.enqueue('x', '{"a": 1}') as id, worker.enqueue('x', '{"b": 2}') \gset
create or replace function test.merge_later(_old jsonb, _new jsonb) returns jsonb language plpgsql as $$ begin raise exception 'changed its mind'; end $$;
select is(test.run_command(:id), 'failed', 'the run fails');
select is(test.error_of(:id), 'could not fold what was merged in: changed its mind', 'and says why');
select is(test.effects('plain'), 0::bigint, 'the handler is not run');
select is((select count(*) from queues.merging), 0::bigint, 'what was merged ended with it');
create or replace function test.merge_later(_old jsonb, _new jsonb) returns jsonb language sql as $$ select _old || _new $$;
select queues.retry_task(:id) as again \gset
select test.run_command(:again);
select is(test.calls('plain'), array['{"a": 1, "b": 2}']::jsonb[], 'done again, it has all of it');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
