begin;
select plan(6);
set local client_min_messages = error;
create procedure test.who(payload jsonb, inout info jsonb) language plpgsql as $$ begin info := jsonb_build_object('user', current_user); end $$;
create function test.who_hook() returns void language plpgsql as $$ begin perform set_config('test.hook_user', current_user, true); end $$;
revoke execute on procedure test.who(jsonb, jsonb) from public;
revoke execute on function test.who_hook() from public;
select worker.register_command('who', 'test.who', 'default', 'test.who_hook');
select internal.set_runner_mode('definer');
select ok(has_function_privilege('queues_runner', 'test.who(jsonb, jsonb)', 'execute'), 'the grant has moved to the runner');
select worker.enqueue('who') as id \gset
select internal.lease_for_test(:id, test.worker()) as lease \gset
set local role worker_service_user;
select decision from queues.begin_dispatch(current_setting('test.worker_one')::uuid, :id, :lease) \gset
select outcome from queues.execute(current_setting('test.worker_one')::uuid, :id, :lease) \gset
reset role;
select is(:'decision'::text, 'run', 'its before step');
select is(:'outcome'::text, 'succeeded', 'its run');
select is(test.info(:id), '{"user": "queues_runner"}', 'the handler has the rights of the runner');
select is(current_setting('test.hook_user'), 'queues_runner', 'and so has the hook');
select internal.set_runner_mode('invoker');
select ok(has_function_privilege('worker_service_user', 'test.who(jsonb, jsonb)', 'execute') and not has_function_privilege('queues_runner', 'test.who(jsonb, jsonb)', 'execute'), 'and back');
select * from finish();
rollback;
