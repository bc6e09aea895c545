-- Up to PostgreSQL 14 everybody may create in public, and handlers see public.  What we put together for them is qualified.
begin;
select plan(5);
\ir evil.sql
grant create on schema public to test_mallory;
-- Closer matches than PostgreSQL's own operators, and names that stand there already.
create function evil.trap(_a jsonb, _b jsonb) returns jsonb language plpgsql set search_path = pg_catalog as
    $$ begin perform evil.took(current_user, 'trap'); return 'null'; end $$;
create function evil.trap_text(_a jsonb, _b jsonb) returns text language plpgsql set search_path = pg_catalog as
    $$ begin perform evil.took(current_user, 'trap'); return 'caught'; end $$;
alter function evil.trap(jsonb, jsonb) owner to test_mallory;
alter function evil.trap_text(jsonb, jsonb) owner to test_mallory;
set local role test_mallory;
create operator public.-> (leftarg = jsonb, rightarg = jsonb, function = evil.trap);
create operator public.->> (leftarg = jsonb, rightarg = jsonb, function = evil.trap_text);
create function public.to_jsonb(text) returns jsonb language plpgsql set search_path = pg_catalog as
    $$ begin perform evil.took(current_user, 'to_jsonb'); return '"caught"'; end $$;
create function public.jsonb_array_elements_text(jsonb) returns setof text language plpgsql set search_path = pg_catalog as
    $$ begin perform evil.took(current_user, 'elements'); return; end $$;
create domain public.text as pg_catalog.text check (value <> 'secret');
create domain public.jsonb as pg_catalog.jsonb;
create domain public.int4 as pg_catalog.int4;
reset role;
set local client_min_messages = error;
create function test.echo(_t pg_catalog.text, _n integer, _l integer[], _j pg_catalog.jsonb) returns pg_catalog.text language sql security definer set search_path = pg_catalog
as $$ select concat_ws('/', _t, _n, _l, _j) $$;
select internal.allow_function('test.echo', 'job'), internal.set_config('handler_search_path', '"public, pg_catalog, pg_temp"');
insert into pgqueue.job_queue (job_type, url, payload) values ('FUNC', 'test.echo', '{"_t": "secret", "_n": 5, "_l": [1, 2], "_j": {"a": 1}}');
select test.process(5, 'end', 'test.supervise_with_facts'), worker.enqueue('plain', '{}') as command, test.enqueue('test.ok') as f \gset
call worker.process_tasks();
select is((select response_content from pgqueue.job_queue order by job_id desc limit 1), 'secret/5/{1,2}/{"a": 1}'::pg_catalog.text, 'a job gets its own parameters');
select is((select job_status::pg_catalog.text from pgqueue.job_queue order by job_id desc limit 1), 'completed'::pg_catalog.text, 'and completes');
select is(test.outcome(:f), 'succeeded'::pg_catalog.text, 'a function runs');
select is(test.outcome(:command), 'succeeded'::pg_catalog.text, 'a command, too');
select is(test.loot(), ''::pg_catalog.text, 'nobody was caught');
select * from finish();
rollback;
