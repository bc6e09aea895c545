begin;
select plan(12);
create schema shop;
create type shop.mood as enum ('good', 'bad');
create type shop.pair as (a integer, b text);
create domain shop.cents as integer;
create table shop.odd (id bigint primary key, small smallint, n integer, gone text, t text, v varchar(20), c char(5), num numeric, f float8, b boolean,
    at timestamptz, local timestamp, d date, i interval, u uuid, by bytea, j json, jb jsonb, a integer[], r int4range, m shop.mood, p shop.pair,
    cents shop.cents, g bigint generated always as (id * 2) stored, "Q uo'te" text);
alter table shop.odd drop column gone;
create trigger i after insert on shop.odd referencing new table as new_rows
    for each statement execute function pgqueue.trigger_webhook('https://x/');
create trigger u after update on shop.odd referencing old table as old_rows new table as new_rows
    for each statement execute function pgqueue.trigger_webhook('https://x/');
create function pg_temp.jobs(_type text) returns table (record jsonb, old_record jsonb) language sql as
    $$ select payload->'record', payload->'old_record' from pgqueue.job where payload->>'type' = _type order by job_id $$;
set local timezone = 'Asia/Kolkata';
insert into shop.odd (id, small, n, t, v, c, num, f, b, at, local, d, i, u, by, j, jb, a, r, m, p, cents, "Q uo'te")
select n, -n, n, 'täxt "' || n, 'v\' || n, 'c', case n % 3 when 0 then 'NaN' else n / 7.0 end, case n % 4 when 0 then 'Infinity' else n / 3.0::float8 end, n % 2 = 0,
    '2026-01-01 12:00Z'::timestamptz + n * interval '1 hour', '2026-01-01 12:00', '2026-02-03', '1 day 2 hours', gen_random_uuid(), '\x00ff',
    '{"z": 1, "a": [1, 2.50]}', '{"z": 1, "a": [1, 2.50]}', array[n, null], int4range(n, n + 5), 'bad'::shop.mood, row(n, 'x')::shop.pair, 5, 'q'
from generate_series(1, 120) as n;
insert into shop.odd (id) select n from generate_series(201, 320) as n;
create temp table was as select to_jsonb(o) as record, row_number() over (order by id) as i from shop.odd as o;
set local timezone = 'America/New_York'; -- of the worker
call worker.process_tasks();
select results_eq($$select record from pg_temp.jobs('INSERT')$$, 'select record from was order by i', 'a row is sent as to_jsonb gives it, in the zone of its session');
select is(current_setting('TimeZone'), 'America/New_York', 'which ends with the work');
update shop.odd set n = n + 1, t = null where id <= 120;
call worker.process_tasks();
select results_eq($$select old_record->>'n', record->>'n', old_record->>'t', record->>'t' from pg_temp.jobs('UPDATE')$$,
    $$select n::text, (n + 1)::text, 'täxt "' || n, null::text from generate_series(1, 120) as n$$, 'rows before and after belong together');
-- Values that jsonb cannot hold.
create table shop.nul (id integer primary key, j json);
create trigger r after insert on shop.nul for each row execute function pgqueue.trigger_webhook('https://row/');
create trigger s after insert on shop.nul referencing new table as new_rows for each statement execute function pgqueue.trigger_webhook('https://statement/');
insert into shop.nul values (1, '{"x": "a\u0000b\\u0000\\\u0000"}'), (2, '{}');
call worker.process_tasks();
select results_eq($$select payload->'record' from pgqueue.job where url = 'https://row/' order by job_id$$,
    $$values ('{"id": 1, "j": {"x": "a\ufffdb\\u0000\\\ufffd"}}'::jsonb), ('{"id": 2, "j": {}}')$$, 'a zero character fails nobody, row by row');
select results_eq($$select payload->'record' from pgqueue.job where url = 'https://statement/' order by job_id$$,
    $$values ('{"id": 1, "j": {"x": "a\ufffdb\\u0000\\\ufffd"}}'::jsonb), ('{"id": 2, "j": {}}')$$, 'nor by statement');
-- Only some columns.
create table shop.few (id integer primary key, a text, b text);
select isnt(pgqueue.create_webhook('few', 'shop.few', '{INSERT,UPDATE}', 'https://few/', _columns => '{id,a}', _changed_only => true), null, 'a webhook for two columns');
insert into shop.few select n, 'a', 'b' from generate_series(1, 150) as n;
select is((select array_agg(distinct column_name::text) from pgqueue.webhook_change_column), array['a', 'id'], 'only these are kept');
update shop.few set b = 'c';
update shop.few set a = 'd' where id <= 120;
update shop.few set a = case when id <= 10 then 'e' else a end;
call worker.process_tasks();
select is((select count(*) from pgqueue.job where url = 'https://few/' and payload->>'type' = 'UPDATE'), 130::bigint, 'and only changes of these are sent');
alter table shop.few drop column a, drop column id;
insert into shop.few select 'b' from generate_series(1, 150);
call worker.process_tasks();
select is((select count(*) from pgqueue.job where url = 'https://few/' and payload->'record' = '{}'), 150::bigint, 'columns that are gone are left out');
-- A table without columns.
create table shop.nothing ();
create trigger s after insert on shop.nothing referencing new table as new_rows for each statement execute function pgqueue.trigger_webhook('https://nothing/');
insert into shop.nothing select from generate_series(1, 101);
call worker.process_tasks();
select is((select count(*) from pgqueue.job where url = 'https://nothing/'), 101::bigint, 'rows without columns count too');
select is((select count(*) from pgqueue.webhook_change_column) + (select count(*) from pgqueue.webhook_change), 0::bigint, 'nothing stays');
select is(test.violations(), '', 'healthy');
select * from finish();
rollback;
