begin;
select plan(14);
create function test.business(_payload jsonb) returns jsonb language sql
as $$ select jsonb_build_object('status', 'succeeded', 'payload', jsonb_build_object('user', current_user)) $$;
create function test.business_facts(_ids jsonb) returns jsonb language sql stable as $$ select '{"n": 1}'::jsonb $$;
revoke execute on function test.business(jsonb), test.business_facts(jsonb) from public;
-- Business functions are called as the worker would call them.
create function pg_temp.run_as_worker(_id bigint) returns text language plpgsql as $$
declare
    _lease integer := test.lease(_id);
    _outcome text;
begin
    perform set_config('role', 'worker_service_user', true);
    _outcome := (select e.outcome from queues.execute(test.worker(), _id, _lease) as e);
    perform set_config('role', 'none', true);
    return _outcome;
end $$;
select test.worker();
select throws_ok($$select internal.set_runner_mode('other')$$, '22023', null, 'an unknown mode');
select is(test.sqlstate_as('queues_admin', $$select internal.set_runner_mode('definer')$$), '42501', 'not for an administrator');
select throws_ok($$select internal.set_config('runner_mode', '"definer"')$$, '22023', null, 'nor by a setting');

select internal.allow_function('test.business');
select test.enqueue('test.business') as a \gset
select is(pg_temp.run_as_worker(:a), 'succeeded', 'invoker: registered and granted');
select is((select result->>'user' from queues.task_completed where task_id = :a), 'worker_service_user', 'runs as the worker');
revoke execute on function test.business(jsonb) from worker_service_user;
select is(pg_temp.run_as_worker(test.enqueue('test.business')), 'failed', 'invoker: without a grant it fails');
grant execute on function test.business(jsonb) to worker_service_user;

select internal.set_runner_mode('definer');
select is((select proowner::regrole::text from pg_proc where oid = 'internal.run_function'::regproc), 'queues_runner', 'definer: owned by the runner');
select test.enqueue('test.business') as b \gset
select is(pg_temp.run_as_worker(:b), 'succeeded', 'definer: registered and granted');
select is((select result->>'user' from queues.task_completed where task_id = :b), 'queues_runner', 'runs as the runner');
select is(test.sqlstate_as('worker_service_user', $$select test.business('{}')$$), '42501', 'the worker cannot call it itself');
revoke execute on function test.business(jsonb) from queues_runner;
select is(pg_temp.run_as_worker(test.enqueue('test.business')), 'failed', 'definer: without a grant it fails');
select internal.allow_function('test.business', 'supervisor', _facts_function => 'test.business_facts');
select test.enqueue('test.business', '{"id": 5}') as tick \gset
select is(pg_temp.run_as_worker(:tick), 'succeeded', 'definer: a supervisor with facts');
select is((select facts from queues.process_run where task_id = :tick), '{"n": 1}', 'facts are read as the runner, too');
select internal.set_runner_mode('invoker');
select is(pg_temp.run_as_worker(test.enqueue('test.business', '{"id": 6}')), 'succeeded', 'and back');
select * from finish();
rollback;
