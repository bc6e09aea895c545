-- slow: make check leaves this file out
begin;
select plan(35);
create schema shop;
create table shop.orders (id integer primary key, status text, note text);
create table shop.plain (id integer, v text);
create table shop.parted (id integer primary key, v text) partition by range (id);
create table shop.parted_1 partition of shop.parted for values from (0) to (10);
create table shop.parted_2 partition of shop.parted for values from (10) to (20);
create function pg_temp.refused(_call text) returns text language plpgsql as $$
begin
    execute 'select pgqueue.create_webhook(' || _call || ')';
    return '00000';
exception when others then
    return sqlstate;
end $$;
select is(pg_temp.refused(c), w, c)
from (values ($c$'w', 'shop.orders', '{}', 'https://x/'$c$, '22023'), ($c$'w', 'shop.orders', '{TRUNCATE}', 'https://x/'$c$, '22023'),
    ($c$'w', 'shop.orders', null, 'https://x/'$c$, '22023'), ($c$'w', 'shop.orders', '{INSERT}', null$c$, '22004'),
    ($c$'w', 'shop.orders', '{INSERT}', 'nowhere'$c$, '22023'), ($c$'w', 'shop.orders', '{INSERT}', 'https://x/', _columns => '{nope}'$c$, '42703'),
    ($c$'w', 'shop.orders', '{INSERT}', 'https://x/', _headers => '[]'$c$, '22023'), ($c$'w', 'shop.nope', '{INSERT}', 'https://x/'$c$, '42P01'),
    ($c$'w', 'shop.orders', '{INSERT}', 'https://x/', _retry_limit => 101$c$, '22023'), ($c$null, 'shop.orders', '{INSERT}', 'https://x/'$c$, '22004')) as x(c, w);
select is((select count(*) from pgqueue.webhook), 0::bigint, 'nothing was written');
select pgqueue.create_webhook('orders', 'shop.orders', '{insert,UPDATE,DELETE}', 'https://example.org/hook', _signing_secret => 'canary', _jwt => 'tok-canary',
    _columns => '{id,status}', _changed_only => true) as id \gset
select is(pg_temp.refused($c$'orders', 'shop.orders', '{INSERT}', 'https://x/'$c$), '42710', 'the name is taken');
select is((select array_agg(tgname::text || ' ' || (tgtype & 1)::text order by tgname) from pg_trigger where tgrelid = 'shop.orders'::regclass),
    array[format('reeve_webhook_%s_delete 0', :id), format('reeve_webhook_%s_insert 0', :id), format('reeve_webhook_%s_update 0', :id)], 'one trigger per event, by statement');
select is((select count(*) from pg_trigger where encode(tgargs, 'escape') like '%canary%'), 0::bigint, 'without a secret');
select is((select count(*) from pgqueue.webhooks as w where w::text like '%canary%'), 0::bigint, 'nor does the list have one');
insert into shop.orders values (1, 'new', 'a'), (2, 'new', 'b');
update shop.orders set note = 'c';
select is((select count(*) from pgqueue.job_queue), 2::bigint, 'an update of other columns sends nothing');
update shop.orders set status = 'paid', note = 'd' where id = 1;
select is((select payload from pgqueue.job_queue order by job_id desc limit 1),
    '{"type": "UPDATE", "table": "orders", "schema": "shop", "record": {"id": 1, "status": "paid"}, "old_record": {"id": 1, "status": "new"}}', 'only these columns');
select is((select count(*) from pgqueue.job_secret), 0::bigint, 'no secret is copied');
select task_id as task from pgqueue.job_queue order by job_id desc limit 1 \gset
select test.lease(:task);
select is((select d.secrets->>'signing' from queues.begin_dispatch(test.worker(), :task, 1) as d), encode('canary', 'hex'), 'it is looked up when the job is sent');
select is((select d.request->'sign'->>'header' from queues.begin_dispatch(test.worker(), :task, 1) as d), 'X-HMAC-Signature', 'and signs');
-- Answers.
select queues.finish(test.worker(), :task, 1, 'answered', '{"status": 503}');
select is((select job_status::text from pgqueue.job_queue where job_id = (select max(job_id) from pgqueue.job_queue)), 'failed', '503 is tried again');
select test.answer_job((select max(job_id) from pgqueue.job_queue), 410);
select results_eq('select enabled, disabled_reason from pgqueue.webhooks', $$values (false, 'answered 410: the receiver wants no more')$$, '410 switches it off');
select is((select job_status::text from pgqueue.job_queue where job_id = (select max(job_id) from pgqueue.job_queue)), 'other', 'and ends the job');
insert into shop.orders values (3, 'new', 'a');
select is((select count(*) from pgqueue.job_queue), 3::bigint, 'nothing more is sent');
select pgqueue.enable_webhook('orders', true);
delete from shop.orders where id = 3;
select is((select count(*) from pgqueue.job_queue), 4::bigint, 'until it is switched on again');
select pgqueue.test_webhook('orders') as job \gset
select is((select payload from pgqueue.job_queue where job_id = :job), '{"type": "TEST", "table": "orders", "schema": "shop", "record": null, "old_record": null}', 'a test');
select pgqueue.drop_webhook('orders');
select is((select count(*) from pg_trigger where tgrelid = 'shop.orders'::regclass) + (select count(*) from pgqueue.webhook) + (select count(*) from pgqueue.webhook_secret), 0::bigint, 'dropped');
select throws_ok($$select pgqueue.drop_webhook('orders')$$, 'P0002', null, 'once');
select throws_ok($$select pgqueue.enable_webhook('orders', true)$$, 'P0002', null, 'no such webhook');
-- Tables on which a statement trigger does not see every row.
select pgqueue.create_webhook('parted', 'shop.parted', '{INSERT,UPDATE,DELETE}', 'https://x/');
insert into shop.parted values (1, 'a');
update shop.parted set id = 11;
select results_eq($$select payload->>'type', payload->>'table' from pgqueue.job_queue where webhook_id = (select webhook_id from pgqueue.webhooks where name = 'parted') order by job_id$$,
    $$values ('INSERT', 'parted'), ('DELETE', 'parted'), ('INSERT', 'parted')$$, 'a row that moves to another partition');
select pgqueue.drop_webhook('parted');
select pgqueue.create_webhook('plain', 'shop.plain', '{UPDATE}', 'https://x/', _when => 'new.v is distinct from old.v') as id \gset
insert into shop.plain values (1, 'a'), (2, 'b');
update shop.plain set v = 'b';
select is((select count(*) from pgqueue.job_queue where webhook_id = :id), 1::bigint, 'a condition');
-- Who may.
create role test_owner;
create role test_admin in role queues_admin;
grant usage, create on schema shop to test_owner, test_admin;
alter table shop.plain owner to test_owner;
select is(test.sqlstate_as('test_owner', $$select pgqueue.create_webhook('o', 'shop.plain', '{INSERT}', 'https://x/')$$), '42501', 'not everybody who has a table');
select is(test.sqlstate_as('test_admin', $$select pgqueue.create_webhook('o', 'shop.plain', '{INSERT}', 'https://x/')$$), '42501', 'nor an administrator on a table of somebody else');
alter table shop.plain owner to test_admin;
select is(test.sqlstate_as('test_admin', $$select pgqueue.create_webhook('o', 'shop.plain', '{INSERT}', 'https://x/')$$), '00000', 'but on one of his own');
select is(test.sqlstate_as('test_admin', $$insert into shop.plain values (3)$$), '00000', 'which then works');
select * from finish();
rollback;
