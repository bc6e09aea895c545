-- A procedure that commits goes on with its old text after reeve migrate has dropped what that text calls.  So none does: a
-- migration waits for the transactions under way, and with them for every run of our functions.
begin;
select plan(1);
select is_empty($$
    select p.oid::regprocedure from pg_proc as p
    where p.pronamespace::regnamespace::text in ('queues', 'internal', 'worker', 'pgqueue', 'vault', 'comms', 'files')
      and pg_get_userbyid(p.proowner) in ('queues_owner', 'queues_runner')
      and p.prokind = 'p' and p.prosrc ~* '(^|[;\s])(commit|rollback)(\s+and\s+(no\s+)?chain)?\s*;'$$, 'no procedure of ours ends a transaction');
select * from finish();
rollback;
