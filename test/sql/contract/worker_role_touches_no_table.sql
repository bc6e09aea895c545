-- Every relation of ours, and every way to read or change it.
begin;
select plan(6);
create temp table relation as select c.oid::regclass::text as name from pg_class as c
where c.relnamespace::regnamespace::text in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files') and c.relkind in ('r', 'v', 'm', 'p');
select cmp_ok((select count(*) from relation), '>', 30::bigint, 'there are tables and views');
select is_empty($$select name from relation where test.sqlstate_as('worker_service_user', format('select * from %s', name)) <> '42501'$$, 'it can select from none');
select is_empty($$select name from relation where has_table_privilege('worker_service_user', name, 'select, insert, update, delete, truncate, references, trigger')$$, 'it has no privilege on any');
select is_empty($$select name from relation where has_any_column_privilege('worker_service_user', name, 'select, insert, update, references')$$, 'nor on a column');
select is(test.sqlstate_as('worker_service_user', $$select queues.enqueue('http', '{}')$$), '42501', 'it cannot enqueue');
select is(test.sqlstate_as('worker_service_user', $$select queues.cancel_task(1)$$), '42501', 'nor act as an operator');
select * from finish();
rollback;
