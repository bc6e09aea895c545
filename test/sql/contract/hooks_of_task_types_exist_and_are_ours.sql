-- The engine calls hooks by name: each must be there, be ours, take and return what its step expects.
begin;
select plan(7);
create temp table step (step text, arguments text, result text);
insert into step values
    ('call', 'bigint, jsonb, text', 'record'),
    ('prepare', 'uuid, bigint, integer', 'text'),
    ('run', 'uuid, bigint, integer', 'internal.run_end'),
    ('judge', 'uuid, internal.run_end, jsonb, jsonb, text, text, text, text', 'internal.run_end'),
    ('end', 'uuid, internal.run_end[]', 'void'),
    ('fail', 'uuid, bigint, integer', 'void'),
    ('begin', 'uuid, bigint[], integer[]', 'SETOF internal.begun_run'),
    ('finish', 'uuid, bigint[], integer[], text[], jsonb[], text[], text[]', 'SETOF bigint'),
    ('ended', 'bigint, integer, bigint, bigint, text, boolean', 'void');
create temp view hook as
select t.task_type, h.key as step, h.value as name from queues.registered_task_type as t, jsonb_each_text(t.hooks) as h;
select is_empty($$select h.task_type, h.step from hook as h where not exists (select 1 from step as s where s.step = h.step)$$, 'every hook is for a known step');
select is_empty($$
    select h.task_type, h.step, h.name from hook as h join step as s using (step)
    where not exists (select 1 from pg_proc as p where p.oid = to_regprocedure(h.name || '(' || s.arguments || ')')
                      and pg_get_userbyid(p.proowner) = 'queues_owner' and pg_get_function_result(p.oid) = s.result
                      and p.pronamespace = 'internal'::regnamespace)$$,
    'every hook is a function of ours with the signature of its step');
select is_empty($$
    select h.task_type, h.step, h.name from hook as h join step as s using (step)
    where has_function_privilege('public', h.name || '(' || s.arguments || ')', 'execute')$$, 'nobody else may call one');
-- Only the owner can name one.
select ok(not has_table_privilege(r, 'queues.registered_task_type', 'insert') and not has_table_privilege(r, 'queues.registered_task_type', 'update'),
          r || ' cannot name a hook')
from unnest(array['queues_admin']) as r;
select throws_ok($$select queues.register_task_type('x', 'command')$$, '22023', null, 'a user registers no type with hooks');
select lives_ok($$select queues.register_task_type('command', 'command', 'default', false, '2 hours')$$, 'an administrator changes the timeout of a type that is there');
select is((select (timeout, hooks ->> 'run')::text from queues.registered_task_type where task_type = 'command'), '(02:00:00,internal.run_command)', 'and its hooks stay');
select * from finish();
rollback;
