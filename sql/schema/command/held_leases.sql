-- internal.held_leases()
-- Leases of worker programs that are neither ended nor dispatched, with the backend that took each, and the backend that runs it
-- right now, if there is one.  backend_start: the start of the backend that took the lease, or a later time if the start was not
-- visible.
create or replace function internal.held_leases()
    returns table (task_id bigint, lease_no integer, leased_by name, backend_pid integer, backend_start timestamptz, run_pid integer)
    language sql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
    select r.task_id, r.lease_no, h.leased_by, h.backend_pid, coalesce(h.backend_start, h.created_at), internal.run_pid(r.task_id)
    from queues.running as r
    join queues.holder as h on h.holder_id = r.holder_id
    where h.worker_id is not null and h.backend_pid <> pg_backend_pid()
      and not exists (select 1 from queues.task_dispatched as d where d.task_id = r.task_id and d.lease_no = r.lease_no)
    order by r.task_id
$$;
comment on function internal.held_leases() is 'Leases of worker programs and their backends.';
