begin;
select plan(5);
set local client_min_messages = error;
create function test.merge_later(_old jsonb, _new jsonb) returns jsonb language sql as $$ select _old || _new $$;
select worker.register_command('x', 'test.plain', 'default', p_dedup_keys => '{}', p_merge_function => 'test.merge_later');
select worker.register_command('y', 'test.plain', 'default', 'test.hook_before', p_dedup_keys => '{}', p_merge_function => 'test.merge_later');
select queues.set_retry_policy('type', 'command', 3);
select worker.enqueue('x', '{"a": 1}') as one, worker.enqueue('x', '{"b": 2}'), worker.enqueue('y', '{"a": 1}') as two, worker.enqueue('y', '{"b": 2}') \gset
create or replace function test.merge_later(_old jsonb, _new jsonb) returns jsonb language plpgsql as $$ begin raise exception 'changed its mind'; end $$;
select is(test.run_command(:one), 'failed', 'a fold that fails fails the command');
select is(internal.last_attempt(:one), :one, 'a next attempt would run without what was merged in');
select is(test.run_command(:two), 'completed', 'so does one in the step before');
select is(internal.last_attempt(:two), :two, 'with the same end');
select is(test.violations(), '', 'the facts agree');
select * from finish();
rollback;
