-- internal.take_back(_now)
-- Ends leases that have run out, and says what follows for each task: cancelled,
-- quarantined, handler-pending (in doubt and not to be sent again) or ready again.
-- A row that is locked is being worked on right now, so it is left alone: for
-- database work the row lock is the lease.
-- A lease that counts from a time in the future was given before the server's clock was set back.  It begins
-- anew, as long as it was: a live worker renews it in time, and that of a dead one ends soon.
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
        -- Written with plain columns: their statistics tell that next to no row is meant, so that one scan does.
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
