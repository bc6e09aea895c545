begin;
select plan(19);
create function test.two(_payload jsonb) returns jsonb language sql as $$ select '{}'::jsonb $$;
create function test.two(_a text) returns jsonb language sql as $$ select '{}'::jsonb $$;
create function test.many(_payload jsonb) returns setof jsonb language sql as $$ select '{}'::jsonb $$;
create function test.text_out(_payload jsonb) returns text language sql as $$ select ''::text $$;
create function test.json_out(_payload jsonb) returns json language sql as $$ select '{}'::json $$;
create procedure test.proc(_payload jsonb) language sql as $$ select 1 $$;
create function public.plain(_payload jsonb) returns jsonb language sql as $$ select '{}'::jsonb $$;
select is(internal.allow_function('test.two(jsonb)'), 'test.two(jsonb)', 'one of several, by its types');
select is(internal.allow_function('plain'), 'public.plain(jsonb)', 'without a schema: public');
select is(internal.allow_function('test.ok', 'task, before'), 'test.ok(jsonb)', 'several kinds');
select throws_ok(format('select internal.allow_function(%L, %L)', f, k), code, null, f || ' as ' || k) from (values
    ('test.nothing', 'task', '42883'), ('test.two(bigint)', 'task', '42883'), ('test.two(jsonb', 'task', '42883'), ('nowhere.f', 'task', '42883'),
    ('test.two', 'task', '42725'), ('test.many', 'task', '42P13'), ('test.text_out', 'task', '42P13'), ('test.json_out', 'before', '42P13'),
    ('test.proc', 'task', '42P13'), ('test.facts', 'task', '42P13'), ('test.ok', 'facts', '42P13'),
    ('pg_catalog.jsonb_strip_nulls', 'task', '42501'), ('test.ok', 'wizard', '22023'), ('test.ok', '', '22023')) as r(f, k, code);
select throws_ok('select internal.allow_function(null)', '22004', null, 'no name');
select is(test.sqlstate_as('queues_operator', $$select internal.allow_function('test.ok')$$), '42501', 'not for operators');
select * from finish();
rollback;
