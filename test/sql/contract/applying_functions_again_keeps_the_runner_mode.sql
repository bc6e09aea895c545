-- slow: make check leaves this file out
-- As a migration does.
begin;
select plan(2);
select internal.set_runner_mode('definer');
set local role queues_owner;
\ir ../../../sql/functions.sql
\ir ../../../sql/grants.sql
reset role;
select ok((select prosecdef and proowner::regrole::text = 'queues_runner' from pg_proc where oid = 'internal.run_function'::regproc), 'run_function');
select ok((select prosecdef and proowner::regrole::text = 'queues_runner' from pg_proc where oid = 'internal.read_facts'::regproc), 'read_facts');
select * from finish();
rollback;
