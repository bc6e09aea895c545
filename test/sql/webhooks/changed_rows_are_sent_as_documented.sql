-- slow: make check leaves this file out
begin;
select plan(16);
create schema shop;
create table shop.orders (id integer primary key deferrable, v text);
create view pg_temp.sent as select j.payload, j.url, j.headers, j.job_type, j.signing_vault, j.job_jwt from pgqueue.job_queue as j order by j.job_id;
create trigger a after insert or update or delete on shop.orders
    for each row execute function pgqueue.trigger_webhook('https://example.org/hook', '{"X-Event": "order"}');
insert into shop.orders values (2, 'z');
update shop.orders set v = 'y';
delete from shop.orders;
select results_eq('select payload from pg_temp.sent', $$values
    ('{"type": "INSERT", "table": "orders", "schema": "shop", "record": {"id": 2, "v": "z"}, "old_record": null}'::jsonb),
    ('{"type": "UPDATE", "table": "orders", "schema": "shop", "record": {"id": 2, "v": "y"}, "old_record": {"id": 2, "v": "z"}}'),
    ('{"type": "DELETE", "table": "orders", "schema": "shop", "record": null, "old_record": {"id": 2, "v": "y"}}')$$, 'row by row');
select is((select count(*) from pg_temp.sent where url = 'https://example.org/hook' and headers = '{"X-Event": "order"}' and job_type = 'POST'), 3::bigint, 'with its headers');
drop trigger a on shop.orders;
-- The same, by statement.
create trigger i after insert on shop.orders referencing new table as new_rows
    for each statement execute function pgqueue.trigger_webhook('_url=/order-changed', '_signing_vault=order_key');
create trigger u after update on shop.orders referencing old table as old_rows new table as new_rows
    for each statement execute function pgqueue.trigger_webhook('url=/order-changed', 'signing_vault=order_key');
create trigger d after delete on shop.orders referencing old table as old_rows
    for each statement execute function pgqueue.trigger_webhook('/order-changed', '', 'null', '', 'order_key');
create temp table seen as select max(job_id) as id from pgqueue.job_queue;
insert into shop.orders select n, 'a' || n from generate_series(1, 5) as n;
update shop.orders set v = 'b', id = case when id > 3 then 9 - id else id end;
delete from shop.orders where id = 1;
update shop.orders set v = 'c' where false;
select is((select array_agg(payload->'record'->>'id' order by job_id) from pgqueue.job_queue, seen where job_id > seen.id and payload->>'type' = 'INSERT'), array['1', '2', '3', '4', '5'], 'one job for each row');
select results_eq($$select payload->'old_record'->>'v', (payload->'record'->>'id')::integer from pgqueue.job_queue, seen where job_id > seen.id and payload->>'type' = 'UPDATE' order by job_id$$,
    $$values ('a1', 1), ('a2', 2), ('a3', 3), ('a4', 5), ('a5', 4)$$, 'pairs are right, also where keys changed places');
select is((select payload from pgqueue.job_queue, seen where job_id > seen.id and payload->>'type' = 'DELETE'),
    '{"type": "DELETE", "table": "orders", "schema": "shop", "record": null, "old_record": {"id": 1, "v": "b"}}', 'delete');
select is((select count(*) from pgqueue.job_queue, seen where job_id > seen.id and signing_vault = 'order_key' and url = '/order-changed' and headers is null), 11::bigint, 'by name or by position');
-- Many rows at once.
truncate shop.orders;
insert into shop.orders select n, 'a' from generate_series(1, 250) as n;
select is((select count(*) from pgqueue.webhook_change), 1::bigint, 'a large statement is one insert');
update seen set id = (select max(job_id) from pgqueue.job_queue);
call worker.process_tasks();
select is((select count(*) from pgqueue.job_queue, seen where job_id > seen.id), 250::bigint, 'of which a worker makes the jobs');
select is((select count(*) from pgqueue.webhook_change), 0::bigint, 'and nothing stays');
update shop.orders set id = id + 1000, v = id::text;
update seen set id = (select max(job_id) from pgqueue.job_queue);
call worker.process_tasks();
select is((select count(*) from pgqueue.job_queue, seen where job_id > seen.id and payload->'record'->>'v' = payload->'old_record'->>'id'
           and (payload->'record'->>'id')::integer = (payload->'old_record'->>'id')::integer + 1000), 250::bigint, 'their pairs are right too');
insert into shop.orders select n, 'a' from generate_series(10001, 35000) as n;
select is((select array_agg(cardinality(integers) order by change_id) from pgqueue.webhook_change_column where column_name = 'id'), array[10000, 10000, 5000], 'a very large one is kept in parts');
call worker.process_tasks();
delete from shop.orders;
call worker.process_tasks();
select is((select count(*) from pgqueue.job where payload->>'type' = 'DELETE' and url = '/order-changed'), 25251::bigint, 'and each row is told');
-- What a row may be.
drop table shop.orders;
create table shop.odd (id integer primary key, gone text, g integer generated always as (id * 2) stored, a integer[], r int4range, b bytea, n numeric, t timestamptz, "Q uo" text);
alter table shop.odd drop column gone;
create trigger o after insert on shop.odd for each row execute function pgqueue.trigger_webhook('https://x/');
insert into shop.odd values (1, default, '{1,2}', '[1,5)', '\xff', 'NaN', '2026-01-01Z', 'é"\');
select is((select payload->'record' from pgqueue.job_queue order by job_id desc limit 1), (select to_jsonb(o) from shop.odd as o), 'any type of column');
insert into shop.odd (id, "Q uo") values (2, repeat('x', 2000000));
select is((select payload from pgqueue.job_queue order by job_id desc limit 1),
    '{"type": "INSERT", "table": "odd", "schema": "shop", "record": {"id": 2}, "old_record": null, "truncated": true}', 'a record over the limit is told by its key');
set constraints all immediate;
select is((select count(*) from queues.error), 0::bigint, 'no error');
select is(test.violations(), '', 'healthy');
select * from finish();
rollback;
