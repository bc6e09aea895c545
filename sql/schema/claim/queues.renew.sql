-- queues.renew(_worker_id, _task_ids, _lease_nos, _lease)
-- Extends leases that are still the newest of their tasks.  A lease is never shortened, unless the server's clock was set back
-- (internal.lease_end).  A worker may ask about two leases of one task, if it claimed again what it had lost; only one of them is held.
-- The state of each lease is one of:
--   busy              a running execute holds the row.  Its lock is the lease, and to wait for it would stall the control connection.
--   cancel_requested  cancellation is requested.  A run that begins now ends at once.
--   stop              the same, and the task type says that a run is interrupted.  The run of a child whose parent was cancelled
--                     is not interrupted.
--   lost              this worker held the lease and holds it no longer.
--   unknown           no such lease of this worker was ever committed here.  A failover can lose it.
create or replace function queues.renew(_worker_id uuid, _task_ids bigint[], _lease_nos integer[],
        _lease interval default '60 seconds')
    returns table (task_id bigint, state text, lease_no integer)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
    _now timestamptz;
    _held bigint[];
    _held_nos integer[]; -- the lease number of each
begin
    perform internal.require_read_committed('renew');
    perform internal.check_pairs(_task_ids, _lease_nos);
    if _lease is null or _lease < interval '1 second' or _lease > interval '24 hours' then
        raise exception using errcode = '22023', message = format('lease "%s" is not between 1 second and 24 hours', _lease);
    end if;
    select array_agg(l.task_id), array_agg(l.lease_no) into _held, _held_nos
    from (select r.task_id, r.lease_no from unnest(_task_ids, _lease_nos) as w(task_id, lease_no)
          cross join lateral (
              select x.task_id, x.lease_no, x.holder_id from queues.running as x where x.task_id = w.task_id
              for update skip locked) as r
          join queues.holder as h on h.holder_id = r.holder_id and h.worker_id = _worker_id
          where r.lease_no = w.lease_no
          order by r.task_id) as l;
    -- failpoint: renew.after_lock
    _now := clock_timestamp();
    update queues.running as r
    set expires_at = internal.lease_end(coalesce(r.renewed_at, r.leased_at), r.expires_at, _now, _lease), renewed_at = _now
    where r.task_id = any(_held);
    insert into queues.task_lease_renewed (task_id, lease_no, renewed_at, expires_at)
    select r.task_id, r.lease_no, _now, r.expires_at from queues.running as r where r.task_id = any(_held);
    return query
        select w.task_id,
               case when _held_nos[array_position(_held, w.task_id)] = w.lease_no then
                        case when (select true from queues.task_cancel_requested as c where c.task_id = w.task_id limit 1)
                             then internal.cancel_state(w.task_id) else 'renewed' end
                    when (select true from queues.running as r
                          join queues.holder as h on h.holder_id = r.holder_id and h.worker_id = _worker_id
                          where r.task_id = w.task_id and r.lease_no = w.lease_no limit 1) is null then
                        case when (select true from queues.task_lease as l
                                   join queues.holder as h on h.holder_id = l.holder_id and h.worker_id = _worker_id
                                   where l.task_id = w.task_id and l.lease_no = w.lease_no limit 1)
                             then 'lost' else 'unknown' end
                    when (select not internal.was_cancelled(t.parent_id) from queues.task_cancel_requested as c
                          join queues.task as t on t.task_id = c.task_id where c.task_id = w.task_id limit 1)
                        then internal.cancel_state(w.task_id)
                    else 'busy' end,
               w.lease_no
        from unnest(_task_ids, _lease_nos) as w(task_id, lease_no);
end
$$;
comment on function queues.renew(uuid, bigint[], integer[], interval) is 'Extends leases, and returns the state of each.';
