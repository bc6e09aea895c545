-- internal.lock_running(_worker_id, _task_id, _lease_no)
-- Locks and returns the running row of a lease, if it is the newest of its task and this worker holds it; otherwise null.
create or replace function internal.lock_running(_worker_id uuid, _task_id bigint, _lease_no integer) returns queues.running
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row queues.running;
begin
    select r.* into _row from queues.running as r where r.task_id = _task_id for update;
    if found and _row.lease_no = _lease_no and exists (
            select 1 from queues.holder as h where h.holder_id = _row.holder_id and h.worker_id = _worker_id) then
        return _row;
    end if;
    return null;
end
$$;
comment on function internal.lock_running(uuid, bigint, integer) is 'Locks and fences the running row of a lease.';
