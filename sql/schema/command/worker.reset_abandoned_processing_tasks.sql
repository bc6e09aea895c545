-- worker.reset_abandoned_processing_tasks()
-- Frees tasks whose worker is gone, without waiting for the end of their leases; returns their number.  A lease is abandoned if the
-- backend that runs it, or without one the backend that took it, is gone.  The holder of the single-instance lock also ends such a
-- backend if it is alive: the previous worker left it behind.  Security invoker: see internal.end_backend.
create or replace function worker.reset_abandoned_processing_tasks() returns integer
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _is_the_one constant boolean := exists (
        select 1 from pg_locks as l where l.locktype = 'advisory' and l.classid = 20545 and l.objid = 1 and l.objsubid = 2
           and l.granted and l.pid = pg_backend_pid());
    _seen constant timestamptz := clock_timestamp(); -- every backend that runs a lease below had started by now
    _lease record;
    _pid integer;
    _start timestamptz;
    _count integer := 0;
begin
    for _lease in select * from internal.held_leases() loop
        _pid := coalesce(_lease.run_pid, _lease.backend_pid);
        continue when _pid = pg_backend_pid();
        perform pg_stat_clear_snapshot();
        select a.backend_start into _start from pg_stat_activity as a
        where a.pid = _pid and a.datname = current_database();
        if found and (_lease.run_pid is not null or _start is null or _start <= _lease.backend_start) then
            continue when not _is_the_one or not internal.end_backend(_pid,
                case when _lease.run_pid is not null then _seen else _lease.backend_start end, _lease.leased_by);
        end if;
        -- failpoint: reset.before_abandon
        if internal.abandon_lease(_lease.task_id, _lease.lease_no) then
            _count := _count + 1;
        end if;
    end loop;
    return _count;
end
$$;
comment on function worker.reset_abandoned_processing_tasks() is 'Frees tasks whose worker is gone.';
