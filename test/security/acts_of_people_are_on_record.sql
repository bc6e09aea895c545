begin;
select plan(7);
set local client_min_messages = error;
create role test_admin login;
grant queues_admin to test_admin;
set local session authorization test_admin;
select vault.create_secret('v', 'audited') as id \gset
select vault.update_secret(:'id', 'w');
insert into worker.queue_registry (queue, default_concurrency) values ('audited', 2);
update worker.queue_registry set default_concurrency = 3 where queue = 'audited';
select queues.prune(interval '100 years');
reset session authorization;
create function pg_temp.acts(_object text) returns text[] language sql as
    $$ select array_agg(a.action || ' by ' || a.actor order by a.audit_id) from queues.audit as a where a.object = _object $$;
select is(pg_temp.acts('audited'), array['create_secret by test_admin', 'update_secret by test_admin', 'create_queue by test_admin', 'change_queue by test_admin'], 'secrets and queues');
select is((select count(*) from queues.audit where detail::text ~ '"v"|"w"'), 0::bigint, 'never a value');
select is((select count(*) from queues.audit where action = 'prune' and actor = 'test_admin'), 1::bigint, 'an age that somebody chose');
-- A lease that a person frees.
select test.enqueue('test.ok') as id \gset
select test.lease(:id);
select test.unguard('queues.holder');
update queues.holder set backend_pid = 999999;
select is(worker.reset_abandoned_processing_tasks(), 1, 'one is freed');
select is((select count(*) from queues.audit where action = 'reset_abandoned' and object = :'id'), 1::bigint, 'and on record');
-- Pruning that the settings decide is no act of a person.
select queues.prune();
select is((select count(*) from queues.audit where action = 'prune'), 1::bigint, 'upkeep is none');
-- Origins cannot be forged.
select set_config('reeve.task_id', :'id', true), set_config('reeve.process_id', '1', true);
select test.enqueue('test.ok') as forged \gset
select is((select (origin_task_id, process_id)::text from queues.task where task_id = :forged), '(,)', 'nor is an origin what a setting says');
select * from finish();
rollback;
