-- A worker's statements are planned when it starts, perhaps on an empty database, and their
-- plans are kept.  None may be one that reads a whole table each time: no hashed subplan, no scan.
-- Five times a thousand rows would be 5,000; one scan, where the server knows better, is its own affair.
begin;
select plan(5);
-- Every statement once, while there is next to nothing.
select test.dispatch(test.enqueue_email());
create temp table first_call as select * from queues.claim(test.worker(), _limit => 1);
select count(*) from queues.next_due();
select count(*) from queues.renew(test.worker(), array[1::bigint], array[1]);

-- Then much.
select count(*) from queues.enqueue_many('email', array(select '{"before_handler": "test.before"}'::jsonb
                                                        from generate_series(1, 3000)));
create temp table taken as select * from queues.claim(test.worker(), _limit => 1000);
select count(*) from queues.begin_dispatch_batch(test.worker(), (select array_agg(task_id) from taken),
                                                 (select array_agg(lease_no) from taken));
create function pg_temp.rows_read(_table text) returns bigint language sql volatile
as $$ select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_xact_all_tables where relid = _table::regclass $$;
create function pg_temp.reads(_table text, _sql text) returns bigint language plpgsql volatile
as $$
declare
    _before constant bigint := pg_temp.rows_read(_table);
begin
    for i in 1..5 loop
        execute _sql;
    end loop;
    return pg_temp.rows_read(_table) - _before;
end
$$;
select cmp_ok(pg_temp.reads('queues.ready', $$select count(*) from queues.claim(test.worker(), _limit => 2)$$), '<', 200::bigint,
              'a claim reads what it takes');
select cmp_ok(pg_temp.reads('queues.ready', $$select queues.next_due()$$), '<', 100::bigint, 'the next due time reads the first rows');
create temp table few as select * from queues.claim(test.worker(), _limit => 10);
select cmp_ok(pg_temp.reads('queues.task_dispatched',
                            $$select count(*) from queues.begin_dispatch_batch(test.worker(), (select array_agg(task_id) from few),
                                                                              (select array_agg(lease_no) from few))$$), '<', 200::bigint,
              'an announcement reads its own');
select cmp_ok(pg_temp.reads('queues.running',
                            $$select count(*) from queues.renew(test.worker(), (select array_agg(task_id) from few),
                                                                (select array_agg(lease_no) from few))$$), '<', 2500::bigint,
              'a renewal reads what it renews');
select cmp_ok(pg_temp.reads('queues.running',
                            $$select count(*) from queues.finish_batch(test.worker(), (select array_agg(task_id) from few),
                                (select array_agg(lease_no) from few), array_fill('succeeded'::text, array[10]))$$), '<', 2500::bigint,
              'an outcome reads its own');
select * from finish();
rollback;
