-- internal.abandon_lease(_task_id, _lease_no)
-- Ends the lease of a backend that is gone, and makes its task claimable at once.  It returns false while a run holds the row, if
-- the lease has ended or its call was announced, and while a backend exists that may have taken it: workers may call this, and
-- must not end each other's leases.
create or replace function internal.abandon_lease(_task_id bigint, _lease_no integer) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row queues.running;
begin
    select r.* into _row from queues.running as r where r.task_id = _task_id and r.lease_no = _lease_no for update skip locked;
    if not found
       or exists (select 1 from queues.task_dispatched as d where d.task_id = _task_id and d.lease_no = _lease_no)
       or exists (select 1 from queues.holder as h
                  join pg_stat_activity as a on a.pid = h.backend_pid and a.datname = current_database()
                  where h.holder_id = _row.holder_id
                    and (a.backend_start is null or a.backend_start <= coalesce(h.backend_start, h.created_at))) then
        return false;
    end if;
    if internal.acting_role() <> 'worker_service_user' then
        perform internal.audit('reset_abandoned', _task_id::text, jsonb_build_object('lease_no', _lease_no));
    end if;
    perform internal.end_dead_lease(_row, 'abandoned', queues.clock());
    return true;
end
$$;
comment on function internal.abandon_lease(bigint, integer) is 'Ends the lease of a backend that is gone.';
