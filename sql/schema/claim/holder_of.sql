-- internal.holder_of(_worker_id)
-- The number of this session as a holder of leases, or null if it has none yet.
-- With a worker id: QU006 unless that worker was started and has not stopped.
create or replace function internal.holder_of(_worker_id uuid) returns integer
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _worker_id is not null and not exists (
            select 1 from queues.worker_started as s
            where s.worker_id = _worker_id
              and not exists (select 1 from queues.worker_stopped as e where e.worker_id = s.worker_id)) then
        raise exception using errcode = 'QU006', message = format('worker %s is not started', _worker_id),
            hint = 'Call queues.start_worker first.';
    end if;
    return (select h.holder_id from queues.holder as h
            where h.backend_pid = pg_backend_pid()
              and h.worker_id is not distinct from _worker_id
              and h.leased_by = session_user
            order by h.holder_id desc limit 1);
end
$$;
comment on function internal.holder_of(uuid) is 'This session as a holder of leases.';
