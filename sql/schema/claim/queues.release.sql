-- queues.release(_worker_id, _task_ids, _lease_nos, _delay)
-- Gives leases back that were not dispatched, and returns the ids of their tasks.  A release does not count as a crash: the holder
-- is alive.
create or replace function queues.release(_worker_id uuid, _task_ids bigint[], _lease_nos integer[],
        _delay interval default '0') returns setof bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
    _row queues.running;
    _now timestamptz;
begin
    perform internal.require_read_committed('release');
    perform internal.check_pairs(_task_ids, _lease_nos);
    if _delay is null or _delay < interval '0' then
        raise exception using errcode = '22023', message = 'delay must not be null or negative';
    end if;
    for _row in
        select r.* from unnest(_task_ids, _lease_nos) as w(task_id, lease_no)
        cross join lateral (
            select x.* from queues.running as x where x.task_id = w.task_id for update skip locked) as r
        join queues.holder as h on h.holder_id = r.holder_id and h.worker_id = _worker_id
        where r.lease_no = w.lease_no
          and not exists (select 1 from queues.task_dispatched as d
                          where d.task_id = r.task_id and d.lease_no = r.lease_no)
        order by r.task_id
    loop
        _now := clock_timestamp();
        if exists (select 1 from queues.task_cancel_requested as c where c.task_id = _row.task_id) then
            perform internal.complete_running(_row, 'cancelled', 'cancelled', null, null, 'engine');
        else
            perform internal.record_lease_end(_row, 'released', _now, _now + _delay);
            perform internal.move_to_ready(_row, _now + _delay);
        end if;
        return next _row.task_id;
    end loop;
end
$$;
comment on function queues.release(uuid, bigint[], integer[], interval) is 'Gives undispatched leases back.';
