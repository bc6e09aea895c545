-- internal.take_back(_now)
-- Ends leases that have run out, and says what follows for each task: cancelled,
-- quarantined, handler-pending (in doubt and not to be sent again) or ready again.
-- A row that is locked is being worked on right now, so it is left alone: for
-- database work the row lock is the lease.
create or replace function internal.take_back(_now timestamptz) returns integer
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
    _row queues.running;
    _count integer := 0;
begin
    for _row in
        select r.* from queues.running as r where r.expires_at < _now order by r.task_id for update skip locked
    loop
        -- failpoint: takeback.after_lock
        perform internal.end_dead_lease(_row, 'expired', _now);
        _count := _count + 1;
    end loop;
    return _count;
end
$$;
comment on function internal.take_back(timestamptz) is 'Ends leases that have run out.';
