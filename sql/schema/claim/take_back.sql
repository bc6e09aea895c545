-- internal.take_back(_now)
-- Ends leases that have run out.  Each task is then cancelled, quarantined, handler-pending (in doubt and not to be sent again) or
-- ready again.  A locked row belongs to a run in progress, so it is left alone: for database work the row lock is the lease.
-- A lease that counts from the future was given before the server's clock was set back.  It restarts with its full length: a live
-- worker renews it in time, and that of a dead worker ends soon.
create or replace function internal.take_back(_now timestamptz) returns integer
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
    _future constant timestamptz := _now + interval '1 second'; -- see internal.lease_end
    _row queues.running;
    _count integer := 0;
begin
    for _row in
        select r.* from queues.running as r
        -- Plain columns let the planner see from statistics that almost no row matches, so that it uses one scan.
        where r.expires_at < _now or r.renewed_at > _future or r.renewed_at is null and r.leased_at > _future
        order by r.task_id for update skip locked
    loop
        if _row.expires_at >= _now then
            perform internal.restart_lease(_row, _now);
            continue;
        end if;
        -- failpoint: takeback.after_lock
        perform internal.end_dead_lease(_row, 'expired', _now);
        _count := _count + 1;
    end loop;
    return _count;
end
$$;
comment on function internal.take_back(timestamptz) is 'Ends leases that have run out.';
