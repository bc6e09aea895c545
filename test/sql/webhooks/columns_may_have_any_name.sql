-- Names of variables, aliases and trigger arguments in our own code are nobody's column names.
begin;
select plan(8);
create schema shop;
create table shop.odd (id integer primary key, n text, o text, x text, r text, tg_op text, old text, new text, _hook text, _count text);
create table shop.row_by_row (like shop.odd including all);
create trigger i after insert on shop.odd referencing new table as new_rows for each statement execute function pgqueue.trigger_webhook('https://a/');
create trigger u after update on shop.odd referencing old table as old_rows new table as new_rows for each statement execute function pgqueue.trigger_webhook('https://a/');
create trigger d after delete on shop.odd referencing old table as old_rows for each statement execute function pgqueue.trigger_webhook('https://a/');
create trigger w after insert or update or delete on shop.row_by_row for each row execute function pgqueue.trigger_webhook('https://b/');
select pgqueue.create_webhook('odd', 'shop.odd', '{INSERT,UPDATE,DELETE}', 'https://c/') is not null as made \gset
select lives_ok(format($$insert into shop.%1$s values (1, 'n', 'o', 'x', 'r', 't', 'old', 'new', 'h', 'c'); update shop.%1$s set n = 'm'; delete from shop.%1$s$$, t),
                t || ' can be changed')
from unnest(array['odd', 'row_by_row']) as t;
create temp view sent as
select j.url, j.payload->>'type' as type, j.payload->'record' as new, j.payload->'old_record' as old, j.job_id from pgqueue.job as j;
select is((select array_agg(distinct s.new) from sent as s where s.type = 'INSERT'),
    array['{"id": 1, "n": "n", "o": "o", "x": "x", "r": "r", "tg_op": "t", "old": "old", "new": "new", "_hook": "h", "_count": "c"}'::jsonb], 'whole rows are sent');
select is((select count(*) from sent as s where s.type = 'INSERT'), 3::bigint, 'by each of three');
select is((select array_agg(distinct s.old) from sent as s where s.type = 'DELETE'),
    array['{"id": 1, "n": "m", "o": "o", "x": "x", "r": "r", "tg_op": "t", "old": "old", "new": "new", "_hook": "h", "_count": "c"}'::jsonb], 'when they go, too');
select is((select count(*) from sent as s where s.type = 'UPDATE' and s.old->>'n' = 'n' and s.new->>'n' = 'm'), 3::bigint, 'and before and after a change');
-- A large statement.
insert into shop.odd select i, 'n', 'o', 'x', 'r', 't', 'old', 'new', 'h', 'c' from generate_series(1, 150) as i;
call worker.process_tasks();
select is((select count(*) from sent as s where s.type = 'INSERT' and s.new - 'id' = '{"n": "n", "o": "o", "x": "x", "r": "r", "tg_op": "t", "old": "old", "new": "new", "_hook": "h", "_count": "c"}'),
          303::bigint, 'from large statements as well');
-- Facts functions return rows, and one of their columns may have the name of our alias.
create type test.f as (f integer, g text);
create function test.facts_f(_id bigint) returns test.f language sql stable security definer set search_path = pg_catalog
as $$ select 1, 'two' $$;
create function test.supervise_f(_payload jsonb) returns jsonb language sql volatile security definer set search_path = pg_catalog
as $$ select '{"status": "succeeded"}'::jsonb $$;
select internal.allow_function('test.supervise_f', 'supervisor', _facts_function => 'test.facts_f', _process_keys => array['id']);
select queues.enqueue('db_function', '{"db_function": "test.supervise_f", "id": 5}');
call worker.process_tasks();
select is((select r.facts from queues.process_run as r order by r.process_id desc limit 1), '{"f": 1, "g": "two"}', 'facts are whole rows');
select * from finish();
rollback;
