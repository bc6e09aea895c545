-- What monitoring asks again and again does not read a long queue to its end.
begin;
select plan(4);
select count(*) from queues.enqueue_many('noop', array_fill('{}'::jsonb, array[9000]), now() - interval '1 minute');
select count(*) from queues.enqueue_many('noop', array_fill('{}'::jsonb, array[9000]), now() - interval '1 minute', _priority => 9223372036854775807);
create function pg_temp.rows_read() returns bigint language sql as
    $$ select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relid = 'queues.ready'::regclass $$;
select pg_temp.rows_read() as before \gset
select ok(queues.overdue() > interval '0', 'tasks of two priorities are overdue');
select cmp_ok(pg_temp.rows_read() - :before, '<', 2100::bigint, 'a thousand of each priority are read at most');
select pg_temp.rows_read() as before \gset
select is((select sum(waiting) from queues.top_queues()), 2000::numeric, 'the first tasks are counted');
select cmp_ok(pg_temp.rows_read() - :before, '<', 4200::bigint, 'and the others are not read');
select * from finish();
rollback;
