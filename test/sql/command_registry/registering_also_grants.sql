begin;
select plan(6);
create schema app;
create procedure app.h(payload jsonb) language sql security definer set search_path = pg_catalog, pg_temp as '';
create procedure app.b() language sql security definer set search_path = pg_catalog, pg_temp as '';
create function app.m(a jsonb, b jsonb) returns jsonb language sql as 'select a';
revoke execute on all routines in schema app from public;
select worker.register_command('x', 'app.h', 'default', 'app.b', p_merge_function => 'app.m');
select ok(has_function_privilege('worker_service_user', 'app.h(jsonb)', 'execute'), 'the handler');
select ok(has_function_privilege('worker_service_user', 'app.b()', 'execute'), 'the hook');
select ok(has_schema_privilege('worker_service_user', 'app', 'usage'), 'and the schema');
select ok(has_function_privilege('queues_runner', 'app.m(jsonb, jsonb)', 'execute'), 'the merge function, to the role that folds');
select ok(not has_function_privilege('worker_service_user', 'app.m(jsonb, jsonb)', 'execute'), 'and to no other');
-- The grant is the second key.
revoke execute on procedure app.h(jsonb) from worker_service_user;
select worker.enqueue('x', '{}') as id \gset
select internal.lease_for_test(:id, test.worker()) as lease \gset
set local role worker_service_user;
select * from queues.begin_dispatch(current_setting('test.worker_one')::uuid, :id, :lease);
select outcome from queues.execute(current_setting('test.worker_one')::uuid, :id, :lease);
reset role;
select matches(test.error_of(:id), '^Error: permission denied for procedure h', 'without it the task fails');
select * from finish();
rollback;
