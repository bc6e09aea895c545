begin;
select plan(1);
select is_empty($$
    select p.oid::regprocedure from pg_proc as p
    where p.pronamespace::regnamespace::text in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files')
      and not coalesce('search_path=pg_catalog, pg_temp' = any(p.proconfig), false)$$, 'pg_catalog, pg_temp');
select * from finish();
rollback;
