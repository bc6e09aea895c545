-- Functions, handlers, hooks and supervisors belong to users and have effects.  They run with the rights of who runs them,
-- and the next statement of ours is looked up where it should be.
begin;
select tap.plan(16);
\ir evil.sql
create function evil.act(_payload jsonb) returns jsonb language plpgsql security definer as $$
begin
    perform evil.spoil();
    return '{"status": "succeeded", "payload": {"from_address": "a@x", "to_address": "b@x", "subject": "s", "html": "h"}}';
end $$;
create function evil.plain(_payload jsonb) returns jsonb language plpgsql security definer as $$
begin
    perform evil.spoil();
    return '{"status": "succeeded"}';
end $$;
create function evil.alone(_payload jsonb) returns jsonb language plpgsql security definer as $$
begin
    perform evil.spoil();
    return '{"status": "succeeded"}';
end $$;
create function evil.fails(_payload jsonb) returns jsonb language plpgsql security definer as $$
begin
    perform evil.spoil();
    return '{"status": "refused"}';
end $$;
create function evil.facts(_id bigint) returns jsonb language plpgsql stable security definer as $$
begin
    perform evil.spoil();
    return '{"n": 1}';
end $$;
create function evil.supervise(_payload jsonb) returns jsonb language plpgsql security definer as $$
begin
    perform evil.spoil();
    return '{"status": "succeeded"}';
end $$;
create function evil.job(_n integer) returns integer language plpgsql security definer as $$
begin
    perform evil.spoil();
    return _n;
end $$;
create procedure evil.handle(payload jsonb) language plpgsql security definer as $$
begin
    perform evil.spoil();
end $$;
create procedure evil.tell(payload jsonb, inout info jsonb) language plpgsql security definer as $$
begin
    perform evil.spoil();
    info := '{"n": 1}';
end $$;
do $$
declare
    _name regprocedure;
begin
    foreach _name in array array['evil.act(jsonb)', 'evil.plain(jsonb)', 'evil.alone(jsonb)', 'evil.fails(jsonb)', 'evil.facts(bigint)', 'evil.supervise(jsonb)',
                                 'evil.job(integer)', 'evil.handle(jsonb)', 'evil.tell(jsonb,jsonb)']::regprocedure[] loop
        execute format('alter routine %s owner to test_mallory', _name);
    end loop;
end $$;
set local client_min_messages = error;
select internal.allow_function('evil.act', 'task,before,success,error'), internal.allow_function('evil.plain', 'task,success,error'),
       internal.allow_function('evil.alone', 'task'), internal.allow_function('evil.fails', 'task'), internal.allow_function('evil.job', 'job'),
       internal.allow_function('evil.supervise', 'supervisor', _facts_function => 'evil.facts', _process_keys => array['id']);
select worker.register_command('plain', 'evil.handle', 'default'), worker.register_command('told', 'evil.tell', 'default'),
       worker.register_command('hooked', 'evil.handle', 'default', 'evil.handle', 'evil.handle');

-- Runs a task the way a worker does, and says what became of it.
create function test.attack(_task_id bigint, _batch boolean) returns text language plpgsql volatile set search_path = pg_catalog as $$
declare
    _lease integer := test.lease(_task_id);
    _outcome text;
begin
    perform set_config('role', 'worker_service_user', true);
    if _batch then
        execute 'select outcome from queues.execute_batch($1, array[$2], array[$3])' into _outcome using test.worker(), _task_id, _lease;
    else
        execute 'select outcome from queues.execute($1, $2, $3)' into _outcome using test.worker(), _task_id, _lease;
    end if;
    perform pg_catalog.set_config('search_path', 'public, tap', true), pg_catalog.set_config('role', 'none', true);
    return _outcome;
end $$;
grant usage on schema test to worker_service_user;
select test.worker() is not null as started \gset
select tap.is(test.attack(test.enqueue('evil.alone'), false), 'succeeded', 'a function that is nothing but a task, alone');
select tap.is(test.attack(test.enqueue('evil.plain'), false), 'succeeded', 'a function alone');
select tap.is(test.attack(test.enqueue('evil.plain'), true), 'succeeded', 'a function in a batch');
select tap.is(test.attack(test.enqueue('evil.act', '{"success_handler": "evil.plain"}'), true), 'succeeded', 'with a success handler');
select tap.is(test.attack(test.enqueue('evil.fails', '{"error_handler": "evil.plain"}'), true), 'non_success', 'with an error handler');
select tap.is(test.attack(test.enqueue('evil.supervise', '{"id": 4}'), true), 'succeeded', 'a supervisor with facts');
select tap.is(test.attack(worker.enqueue('plain'), true), 'succeeded', 'a command');
select tap.is(test.attack(worker.enqueue('told'), true), 'succeeded', 'a command with info');
select tap.is(test.attack(worker.enqueue('hooked'), true), 'succeeded', 'a command with hooks');
insert into pgqueue.job_queue (job_type, url, payload) values ('FUNC', 'evil.job', '{"_n": 1}');
select tap.is(test.attack((select max(task_id) from queues.task), true), 'succeeded', 'a job');
create function test.call(_task_id bigint) returns text language plpgsql volatile set search_path = pg_catalog as $$
declare
    _lease integer := test.lease(_task_id);
    _answer text;
begin
    perform set_config('role', 'worker_service_user', true);
    execute 'select decision from queues.begin_dispatch_batch($1, array[$2], array[$3])' into _answer using test.worker(), _task_id, _lease;
    perform pg_catalog.set_config('search_path', 'pg_catalog', true);
    execute 'select result from queues.finish_batch($1, array[$2], array[$3], array[''succeeded''], array[''{}''::jsonb])' into _answer
        using test.worker(), _task_id, _lease;
    perform pg_catalog.set_config('search_path', 'public, tap', true), pg_catalog.set_config('role', 'none', true);
    return _answer;
end $$;
select tap.is(test.call(queues.enqueue('email', '{"before_handler": "evil.act", "success_handler": "evil.plain"}')), 'completed', 'a mail with handlers');
select tap.is(test.loot(), '', 'nobody was caught');
-- The same where the runner has rights of its own.
select internal.set_runner_mode('definer');
select tap.is(test.attack(test.enqueue('evil.act', '{"success_handler": "evil.plain"}'), true), 'succeeded', 'definer mode: a function');
select tap.is(test.attack(worker.enqueue('hooked'), true), 'succeeded', 'definer mode: a command');
select tap.is(test.attack(test.enqueue('evil.supervise', '{"id": 5}'), true), 'succeeded', 'definer mode: a supervisor');
select tap.is(test.loot(), '', 'nobody was caught');
select * from tap.finish();
rollback;
