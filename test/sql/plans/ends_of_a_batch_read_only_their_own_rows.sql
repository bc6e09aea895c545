-- slow: make check leaves this file out
-- The table of leased tasks is empty whenever it is vacuumed in a quiet moment, and the server then
-- takes it for empty: a batch must not be joined to it from its side, row by row.  With a thousand
-- leased tasks, five ends of two tasks each would read 5,000 rows.
begin;
select plan(3);
create function pg_temp.rows_read() returns bigint language sql volatile
as $$ select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_xact_all_tables where relid = 'queues.running'::regclass $$;
-- Ends five times two tasks of a type, by a statement over their ids and lease numbers.
create function pg_temp.reads(_type text, _sql text) returns bigint language plpgsql volatile
as $$
declare
    _ids bigint[];
    _nos integer[];
    _read bigint := 0;
    _before bigint;
begin
    for i in 1..5 loop
        select array_agg(r.task_id), array_agg(r.lease_no) into _ids, _nos
        from (select x.task_id, x.lease_no from queues.running as x join queues.task as t using (task_id)
              where t.task_type = _type order by x.task_id limit 2) as r;
        _before := pg_temp.rows_read();
        execute _sql using _ids, _nos;
        _read := _read + pg_temp.rows_read() - _before;
    end loop;
    return _read;
end
$$;
create function pg_temp.fill(_type text, _payload jsonb, _count integer) returns bigint language plpgsql volatile
as $$
begin
    perform queues.enqueue_many(_type, array_fill(_payload, array[_count]));
    return (select count(*) from queues.claim(test.worker(), _types => array[_type], _limit => _count));
end
$$;
-- Planned while there is nothing; that these leases do not exist is beside the point.
select queues.complete_noop(test.worker(), array[-1, -2]::bigint[], array[1, 1]);
do $$
begin
    perform internal.end_execute(test.worker(), array[-1]::bigint[], array[1], array[now()], array[]::internal.run_end[]);
exception when sqlstate 'QU002' then null;
end
$$;
do $$
begin
    perform internal.end_finishes(test.worker(), array[-1]::bigint[], array[1], array[now()], array[null::jsonb]);
exception when sqlstate 'QU002' then null;
end
$$;
select count(*) from internal.record_dispatches(test.worker(), array[-1]::bigint[], array[1], array['key'], array[null]::text[]);

select pg_temp.fill('noop', '{}', 1000), pg_temp.fill('db_function', '{"db_function": "test.ok"}', 1000),
       pg_temp.fill('email', '{"before_handler": "test.before"}', 1000);
select cmp_ok(pg_temp.reads('noop', 'select queues.complete_noop(test.worker(), $1, $2)'), '<', 200::bigint,
              'completions of noops');
select cmp_ok(pg_temp.reads('db_function', 'select queues.execute_batch(test.worker(), $1, $2)'), '<', 200::bigint,
              'ends of functions');
select cmp_ok(pg_temp.reads('email', 'select queues.begin_dispatch_batch(test.worker(), $1, $2),
                                             queues.finish_batch(test.worker(), $1, $2, array[''succeeded'', ''succeeded''])'),
              '<', 400::bigint, 'announcements and ends of calls');
select * from finish();
rollback;
