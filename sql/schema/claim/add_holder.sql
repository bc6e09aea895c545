-- internal.add_holder(_worker_id, _backend_start)
-- Makes this session a holder.  The caller passes the start of the backend, because a definer function cannot see it for a
-- session of another role.
create or replace function internal.add_holder(_worker_id uuid, _backend_start timestamptz) returns integer
    language sql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
    insert into queues.holder (worker_id, leased_by, backend_pid, backend_start)
    values (_worker_id, session_user, pg_backend_pid(), _backend_start)
    returning holder_id
$$;
comment on function internal.add_holder(uuid, timestamptz) is 'Makes this session a holder of leases.';
