-- An act on many things may be prepared, carried out and read by those who may act on one, and shows nobody else data.
begin;
select plan(16);
set local client_min_messages = error;
create role test_observer; create role test_enqueuer; create role test_operator; create role test_other_operator;
grant queues_observer to test_observer; grant queues_enqueuer to test_enqueuer; grant queues_operator to test_operator, test_other_operator;
create function test.tells(_payload jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog as
    $$ begin raise exception using errcode = '22012', message = 'canary ' || (_payload->>'canary'); end $$;
select internal.allow_function('test.tells'), internal.allow_function('test.answer', _enqueuers => '{queues_admin}');
select test.run(test.enqueue('test.tells', '{"canary": "canary"}')) from generate_series(1, 3);
-- Only operators may call.
select is((select count(*) from unnest(array['test_observer', 'test_enqueuer', 'worker_service_user', 'queues_runner']) as r,
    unnest(array['select * from queues.preview_bulk(''task_retry'', ''failed'')', 'select queues.run_bulk(1)', 'select queues.stop_bulk(1)', 'select queues.extend_bulk(1)']) as s
    where test.sqlstate_as(r, s) <> '42501'), 0::bigint, 'nobody but an operator calls');
select is((select count(*) from unnest(array['test_observer', 'test_enqueuer', 'worker_service_user', 'queues_runner']) as r,
    unnest(array['bulk_act', 'bulk_target', 'bulk_done', 'bulk_scan', 'bulk_started', 'bulk_stopped']) as t
    where test.sqlstate_as(r, 'select * from queues.' || t) <> '42501'), 0::bigint, 'or reads the tables');
select is((select count(*) from unnest(array['bulk_act', 'bulk_target', 'bulk_done', 'bulk_scan', 'bulk_started', 'bulk_stopped']) as t
    where has_table_privilege('test_operator', 'queues.' || t, 'insert, update, delete')), 0::bigint, 'an operator adds no id or result by hand');
set local session authorization test_operator;
select act_id as act, examples from queues.preview_bulk('task_retry', _error_like => '%canary%') \gset
reset session authorization;
select alike(:'examples'::text, '%canary canary%', 'an operator sees why they failed');
select unalike(:'examples'::text, '%payload%', 'but no payload');
create function pg_temp.seen(_role name) returns text language plpgsql as $$
declare _all text;
begin
    perform set_config('role', _role, true);
    select string_agg(b::text, '') into _all from queues.bulk_state as b;
    perform set_config('role', 'none', true);
    return _all;
end $$;
select unalike(pg_temp.seen('test_observer'), '%canary%', 'an observer sees no pattern');
select alike(pg_temp.seen('test_observer'), '%previewed%', 'but the progress');
select alike(pg_temp.seen('test_operator'), '%canary%', 'an operator sees all of it');
-- Another login goes on: both are on record, and each acts with its own rights.
set local session authorization test_operator;
select queues.run_bulk(:act, 1);
reset session authorization;
set local session authorization test_other_operator;
select queues.run_bulk(:act, 1);
select queues.run_bulk(:act, 1);
reset session authorization;
select is((select array_agg(a.actor order by a.audit_id) from queues.audit as a where a.action = 'bulk_task_retry'), array['test_operator', 'test_other_operator'], 'who went on is on record');
select is((select array_agg(s.started_by order by s.started_at) from queues.bulk_started as s where s.act_id = :act), array['test_operator', 'test_other_operator'], 'also in the act');
-- What an administrator has counted, an operator does not get done.
select test.run(test.enqueue('test.answer', '{"answer": {"status": "failed", "error": "x"}}')) as outcome \gset
select act_id as act, counted from queues.preview_bulk('task_retry', 'failed') \gset
set local session authorization test_operator;
select queues.run_bulk(:act);
reset session authorization;
select is((select array_agg(distinct d.result) from queues.bulk_done as d join queues.task as t on t.task_id = d.target_id
           where d.act_id = :act and t.payload->>'db_function' = 'test.answer'), array['refused'], 'a reserved function stays reserved, whoever counted');
-- Texts with a meaning in SQL are data.
select is((select counted from queues.preview_bulk('task_retry', _error_like => $$%' or true --$$)), 0::bigint, 'a pattern is a pattern');
select is(test.sqlstate_as('test_operator', $$select * from queues.preview_bulk('task_retry', _error_like => '%\')$$), '22025', 'a bad pattern is refused');
select is(test.sqlstate_as('test_operator', $$select * from queues.preview_bulk('task_retry', _ids => array_fill(1::bigint, array[100001]))$$), '54000', 'too many ids');
-- A path of a session finds nothing of a user in the acts.
create schema test_evil;
create function test_evil.left(text, integer) returns text language plpgsql as $$ begin raise exception 'evil'; end $$;
set local search_path = test_evil, pg_catalog, tap, public;
select is((select (done, refused)::text from queues.run_bulk((select act_id from queues.preview_bulk('task_retry', 'failed')))), '(1,0)', 'a search path changes nothing');
select is(test.violations(), '', 'facts and working set agree');
select * from finish();
rollback;
