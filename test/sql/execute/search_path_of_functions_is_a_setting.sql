begin;
select plan(3);
create table public.seen (path text);
create function test.path(_payload jsonb) returns jsonb language plpgsql as $$
begin insert into seen values (current_setting('search_path')); return '{"status": "succeeded"}'; end $$;
select internal.allow_function('test.path');
select test.enqueue('test.path') as id \gset
select is(test.run(:id), 'succeeded', 'it finds a table of schema public');
select is((select path from public.seen), 'pg_catalog, public, pg_temp', 'by the path of the setting');
select isnt(current_setting('search_path'), 'pg_catalog, public, pg_temp', 'the session has its own again');
select * from finish();
rollback;
