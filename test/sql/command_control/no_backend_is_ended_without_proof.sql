begin;
select plan(5);
select a.backend_start as start from pg_stat_activity as a where a.pid = pg_backend_pid() \gset
select is(internal.end_backend(pg_backend_pid(), :'start', session_user), false, 'never this one');
-- Some other backend of the server: its pid is right, what else is known is not.
select a.pid as other from pg_stat_activity as a where a.pid <> pg_backend_pid() and a.backend_type <> 'client backend' limit 1 \gset
select is(internal.end_backend(:other, now(), session_user), true, 'one that is not in this database is another one');
select is(internal.end_backend(pg_backend_pid(), '2000-01-01', session_user), true, 'one that started later is another one');
select is(internal.end_backend(2147483647, now(), session_user), true, 'one that is not there is gone');
select ok(exists (select 1 from pg_stat_activity where pid = :other), 'it lives');
select * from finish();
rollback;
