begin;
select plan(4);
select is_empty($$
    select c.oid::regclass from pg_class as c
    where c.relnamespace::regnamespace::text in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files') and c.relkind in ('r', 'v', 'm', 'p')
      and obj_description(c.oid, 'pg_class') is null$$, 'tables and views');
select is_empty($$
    select p.oid::regprocedure from pg_proc as p
    where p.pronamespace::regnamespace::text in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files') and obj_description(p.oid, 'pg_proc') is null$$, 'functions');
select is_empty($$
    select t.oid::regtype from pg_type as t left join pg_class as c on c.oid = t.typrelid
    where t.typnamespace::regnamespace::text in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files') and (t.typtype in ('d', 'e') or c.relkind = 'c')
      and coalesce(obj_description(t.oid, 'pg_type'), obj_description(c.oid, 'pg_class')) is null$$, 'types');
select is_empty($$
    select n.nspname from pg_namespace as n where n.nspname in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files') and obj_description(n.oid, 'pg_namespace') is null$$, 'schemas');
select * from finish();
rollback;
