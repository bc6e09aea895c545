-- A hint that is obeyed takes nothing away.
begin;
select plan(6);
set local client_min_messages = error;
create role test_boss;
grant queues_enqueuer to test_boss;
create function test.both(_payload jsonb) returns jsonb language sql stable security definer set search_path = pg_catalog as $$ select '{"status": "succeeded"}'::jsonb $$;
select internal.allow_function('test.both', 'supervisor', _facts_function => 'test.facts', _process_keys => array['id'], _max_idle_runs => 7, _enqueuers => '{postgres}');
create function pg_temp.hint(_statement text) returns text language plpgsql as $$
declare
    _hint text;
begin
    execute _statement;
    return null;
exception when others then
    get stacked diagnostics _hint = pg_exception_hint;
    return _hint;
end $$;
create temp table was as select * from internal.allowed_function where function_name = 'test.both';
select pg_temp.hint($$select queues.enqueue('email', '{"before_handler": "test.both"}')$$) as hint \gset
select alike((:'hint')::text, 'select internal.allow_function(''test.both'', ''supervisor,before''%', 'a second kind beside the first');
select lives_ok((:'hint')::text, 'it can be obeyed');
select results_eq($$select facts_function, process_keys, max_idle_runs, enqueuers from internal.allowed_function where function_name = 'test.both'$$,
                  'select facts_function, process_keys, max_idle_runs, enqueuers from was', 'and keeps the rest');
select pg_temp.hint($$insert into pgqueue.job_queue (job_type, url) values ('FUNC', 'test.both')$$) as hint \gset
select alike((:'hint')::text, '%''supervisor,before,job''%', 'the same for jobs');
select alike(pg_temp.hint($$select queues.enqueue('db_function', '{"db_function": "test.unknown"}')$$), '%''task''%supervisor%', 'an unknown function may be a supervisor');
-- Facts are read with the rights of who runs.
create function test.poor_facts(_id bigint) returns bigint language sql stable as $$ select count(*) from test.script $$;
set local client_min_messages = warning;
create function pg_temp.warned() returns boolean language plpgsql as $$
begin
    perform set_config('client_min_messages', 'error', true);
    perform internal.allow_function('test.supervise_with_facts', 'supervisor', _facts_function => 'test.poor_facts', _process_keys => array['id']);
    return true;
end $$;
select pg_temp.warned();
select test.process(3, 'end', 'test.supervise_with_facts') as tick \gset
select test.worker() is not null as ready \gset
create function pg_temp.run_poor(_id bigint) returns text language plpgsql as $$
declare
    _lease integer := test.lease(_id);
begin
    perform set_config('role', 'worker_service_user', true);
    perform queues.execute(test.worker(), _id, _lease);
    perform set_config('role', 'none', true);
    return (select e.source || ': ' || e.error_message from queues.error as e where e.task_id = _id order by e.error_id desc limit 1);
end $$;
select alike(pg_temp.run_poor(:tick), 'facts_function: facts function of test.supervise_with_facts failed: permission denied%', 'an error of the facts function is not blamed on the supervisor');
select * from finish();
rollback;
