-- slow: make check leaves this file out
-- A worker's statements are planned when it starts, perhaps on an empty database, and their plans
-- are kept.  None of those that commands need may read a whole table later.
begin;
select plan(5);
-- Every statement once, while there is next to nothing.
select test.run_command(worker.enqueue('act', '{"children": [{"n": 1}]}'));
select worker.enqueue('merged', '{"ids": [1]}'), worker.enqueue('merged', '{"ids": [2]}');
create temp table first_call as select * from queues.claim(test.worker(), _limit => 10);
select count(*) from queues.execute_batch(test.worker(), (select array_agg(task_id) from first_call), (select array_agg(lease_no) from first_call));

-- Then much: tasks that wait, that are leased, that wait for a child, and merges.
select count(worker.enqueue('act', '{"children": [{"n": 1}]}', now() - interval '1 minute')) from generate_series(1, 1000);
create temp table parents as select * from queues.claim(test.worker(), _limit => 1000);
select count(*) from parents as p, queues.execute(test.worker(), p.task_id, p.lease_no);
select count(worker.enqueue('act')) from generate_series(1, 3000);
select count(worker.enqueue('merged', '{"ids": [1]}')) from generate_series(1, 1000);
create temp table taken as select * from queues.claim(test.worker(), _limit => 1000);
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
select cmp_ok(pg_temp.reads('queues.ready', $$select worker.enqueue('act'), worker.enqueue('merged', '{"ids": [3]}')$$), '<', 100::bigint,
              'an enqueue reads the waiting task');
select cmp_ok(pg_temp.reads('queues.ready', $$select count(*) from queues.claim(test.worker(), _limit => 2, _take_back => false)$$), '<', 200::bigint,
              'a claim reads what it takes');
create temp table few as select * from taken limit 10;
select cmp_ok(pg_temp.reads('queues.running', $$select count(*) from queues.execute_batch(test.worker(), (select array_agg(task_id) from few),
                                                                                        (select array_agg(lease_no) from few))$$), '<', 500::bigint,
              'a run reads its own');
create temp table more as select * from taken offset 10 limit 5;
select cmp_ok(pg_temp.reads('queues.ready', $$select count(*) from queues.execute_batch(test.worker(), (select array_agg(task_id) from more),
                                                                                      (select array_agg(lease_no) from more))$$), '<', 500::bigint,
              'and looks at the parent, not at all that waits');
select cmp_ok(pg_temp.reads('queues.merging', $$select worker.enqueue('merged', '{"ids": [4]}')$$), '<', 50::bigint, 'a merge reads no other');
select * from finish();
rollback;
