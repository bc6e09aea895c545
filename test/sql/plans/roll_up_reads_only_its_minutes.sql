-- The throughput of an hour is found by an index over time, in a history of any size, whatever the planner believes of it.
begin;
select plan(4);
update internal.config set value = '"100 years"' where key = 'retention_throughput';
create function pg_temp.rows_read() returns bigint language sql volatile
as $$
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint from pg_stat_xact_all_tables
    where schemaname = 'queues' and relname in ('task', 'task_lease', 'task_completed')
$$;
create function pg_temp.reads(_sql text) returns bigint language plpgsql volatile
as $$
declare
    _before constant bigint := pg_temp.rows_read();
begin
    execute _sql;
    return pg_temp.rows_read() - _before;
end
$$;
create function pg_temp.roll_up_hour(_at timestamptz) returns bigint language plpgsql volatile
as $$
begin
    update internal.roll_up_state set rolled_until = _at, mark_at = _at + interval '1 hour', mark_xmax = '3', mark_open = '{}';
    return internal.roll_up();
end
$$;
-- Plans for empty tables are made first, and kept.
select pg_temp.roll_up_hour('2000-01-01') from generate_series(1, 6);
-- 100,000 leases and ends, one a second; their tasks are gone, but for the 3600 of one hour.
select count(*) from generate_series(1, 4) as n cross join lateral queues.enqueue_many('noop', array_fill(jsonb_build_object('n', n), array[1000]));
set local session_replication_role = replica;
insert into queues.task_lease (task_id, lease_no, holder_id, leased_at, expires_at)
select 1000000000 + n, 1, 0, '2020-01-01'::timestamptz + interval '1 second' * n, '2020-01-01'::timestamptz + interval '1 second' * n from generate_series(0, 99999) as n;
insert into queues.task_completed (task_id, completed_at, outcome, lease_no)
select case when n between 36000 and 39599 then (select min(t.task_id) from queues.task as t) + n - 36000 else 1000000000 + n end,
    '2020-01-01'::timestamptz + interval '1 second' * n, 'succeeded', 1 from generate_series(0, 99999) as n;
set local session_replication_role = origin;
select brin_summarize_new_values('queues.task_lease_at_idx') > 0 as summarized_leases, brin_summarize_new_values('queues.task_completed_at_idx') > 0 as summarized \gset
-- A range of the index has 128 pages, about 20,000 rows; an hour may touch two of each table.
select cmp_ok(pg_temp.reads($$select pg_temp.roll_up_hour('2020-01-01 10:00')$$), '<', 100000::bigint, 'with plans that were made on empty tables');
select is((select sum(succeeded) from queues.throughput where minute < '2020-01-02'), 3600::numeric, 'and it counts all of them');
analyze queues.task_lease; analyze queues.task_completed; analyze queues.task;
delete from queues.throughput;
select cmp_ok(pg_temp.reads($$select pg_temp.roll_up_hour('2020-01-01 10:00')$$), '<', 100000::bigint, 'and with statistics');
select is((select sum(succeeded) from queues.throughput where minute < '2020-01-02'), 3600::numeric, 'it counts the same');
select * from finish();
rollback;
