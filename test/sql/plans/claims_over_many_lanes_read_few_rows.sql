-- A claim of few tasks does not read as many rows of each lane.
begin;
select plan(2);
select queues.create_queue('q' || q) from generate_series(1, 12) as q;
select queues.enqueue_many('noop', array_fill('{}'::jsonb, array[300]), now() - interval '1 minute', 'q' || q, p)
from generate_series(1, 12) as q, generate_series(1, 3) as p;
create function pg_temp.rows_read() returns bigint language sql as
    $$ select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relid = 'queues.ready'::regclass $$;
select pg_temp.rows_read() as before \gset
select is((select count(*) from queues.claim(test.worker(), _limit => 120)), 120::bigint, 'as many as asked for');
-- 36 lanes; 120 rows of each would be 4,320.
select cmp_ok(pg_temp.rows_read() - :before, '<', 1500::bigint, 'and not 120 rows of each lane were read');
select * from finish();
rollback;
