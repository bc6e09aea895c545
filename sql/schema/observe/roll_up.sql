-- internal.roll_up(_minutes)
-- Writes queues.throughput for the minutes that are over, at most _minutes of them; returns the number of rows.  A worker calls it
-- every minute; of several workers, one does the work and the others return at once.
--
-- A minute is over when every transaction that could still record something in it has ended.  The function leaves a mark: a time,
-- and the transactions that are open at that time.  When all of these have ended, nobody can add to the minutes before the
-- mark: a transaction that began after the mark records later times.  The rows of these minutes and the new position are one
-- commit, so each minute is counted exactly once, whoever died.
create or replace function internal.roll_up(_minutes integer default 60) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    -- The minutes are found by an index over time, and their tasks one by one: a worker keeps its plans while history grows.
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
    _state internal.roll_up_state;
    _now constant timestamptz := clock_timestamp();
    _from timestamptz;
    _to timestamptz;
    _rows bigint := 0;
    -- Transactions of this database that are open now, but for this one.  Autovacuum has no user, and records nothing.
    _open constant text[] := array(
        select l.virtualtransaction from pg_locks as l join pg_stat_activity as a on a.pid = l.pid
        where l.locktype = 'virtualxid' and l.virtualtransaction = l.virtualxid and a.pid <> pg_backend_pid()
          and a.datname = current_database() and a.usesysid is not null);
begin
    perform internal.require_read_committed('roll_up');
    select s.* into _state from internal.roll_up_state as s for update skip locked;
    if not found then
        return 0;
    end if;
    if _state.mark_at is not null and not _state.mark_open && _open
       and pg_snapshot_xmin(pg_current_snapshot()) >= _state.mark_xmax then
        _from := _state.rolled_until;
        _to := least(date_trunc('minute', _state.mark_at), _from + make_interval(mins => greatest(_minutes, 1)));
    end if;
    if _to > _from then
        insert into queues.throughput (minute, queue, task_type, started, succeeded, failed, other, waits, wait_seconds, wait_seconds_max,
            runs, run_seconds, run_seconds_max)
        select f.minute, f.queue, f.task_type, sum(f.started), sum(f.succeeded), sum(f.failed), sum(f.other), sum(f.waits),
               sum(f.wait_seconds), max(f.wait_seconds_max), sum(f.runs), sum(f.run_seconds), max(f.run_seconds_max)
        from (
            select date_trunc('minute', l.leased_at) as minute, t.queue, t.task_type::text, count(*) as started,
                   0 as succeeded, 0 as failed, 0 as other, count(*) filter (where l.lease_no = 1) as waits,
                   coalesce(sum(w.seconds) filter (where l.lease_no = 1), 0) as wait_seconds,
                   coalesce(max(w.seconds) filter (where l.lease_no = 1), 0) as wait_seconds_max,
                   0 as runs, 0::double precision as run_seconds, 0::double precision as run_seconds_max
            from queues.task_lease as l join queues.task as t on t.task_id = l.task_id
            cross join lateral (select greatest(extract(epoch from l.leased_at - t.scheduled_at), 0)::double precision as seconds) as w
            where l.leased_at >= _from and l.leased_at < _to
            group by 1, 2, 3
            union all
            select date_trunc('minute', c.completed_at), t.queue, t.task_type::text, 0,
                   count(*) filter (where c.outcome in ('succeeded', 'non_success')),
                   count(*) filter (where c.outcome in ('failed', 'quarantined', 'in_doubt')),
                   count(*) filter (where c.outcome in ('cancelled', 'superseded')), 0, 0, 0, count(c.started_at),
                   coalesce(sum(extract(epoch from c.completed_at - c.started_at)), 0)::double precision,
                   coalesce(max(extract(epoch from c.completed_at - c.started_at)), 0)::double precision
            from queues.task_completed as c join queues.task as t on t.task_id = c.task_id
            where c.completed_at >= _from and c.completed_at < _to
            group by 1, 2, 3
        ) as f
        group by 1, 2, 3
        on conflict on constraint throughput_pkey do nothing;
        get diagnostics _rows = row_count;
        _state.rolled_until := _to;
        delete from queues.throughput as t where t.minute < _now - internal.text_setting('retention_throughput')::interval;
    end if;
    -- A mark stays until it has been used up.
    if _state.mark_at is null or _state.rolled_until >= date_trunc('minute', _state.mark_at) then
        _state.mark_at := _now;
        _state.mark_xmax := pg_snapshot_xmax(pg_current_snapshot());
        _state.mark_open := _open;
    end if;
    update internal.roll_up_state as s
    set rolled_until = _state.rolled_until, mark_at = _state.mark_at, mark_xmax = _state.mark_xmax, mark_open = _state.mark_open;
    return _rows;
end
$$;
comment on function internal.roll_up(integer) is 'Writes the throughput of the minutes that are over.';
