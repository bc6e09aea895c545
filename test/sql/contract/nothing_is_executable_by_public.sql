begin;
select plan(4);
select is_empty($$
    select p.oid::regprocedure from pg_proc as p
    where p.pronamespace::regnamespace::text in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files')
      and (p.proacl is null or exists (select 1 from aclexplode(p.proacl) as a where a.grantee = 0))$$, 'no function');
select is_empty($$
    select c.oid::regclass from pg_class as c, aclexplode(c.relacl) as a
    where c.relnamespace::regnamespace::text in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files') and a.grantee = 0$$, 'no table or view');
select is_empty($$
    select n.nspname from pg_namespace as n, aclexplode(n.nspacl) as a
    where n.nspname in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files') and a.grantee = 0$$, 'no schema');
select is_empty($$
    select p.oid::regprocedure, p.proowner::regrole from pg_proc as p
    where p.pronamespace::regnamespace::text in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files') and p.proowner::regrole::text <> 'queues_owner'
      and p.oid <> 'internal.call_merge(text, jsonb, jsonb)'::regprocedure -- runs user code with the runner's rights
$$, 'all belong to the owner');
select * from finish();
rollback;
