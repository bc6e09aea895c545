-- queues.expire_lease(_task_id)
-- An operator declares the holder of a task dead, and the task is claimable at once.  It returns false while a run holds the row,
-- or if the task is not leased.
create or replace function queues.expire_lease(_task_id bigint) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row queues.running;
begin
    perform internal.require_task(_task_id);
    select r.* into _row from queues.running as r where r.task_id = _task_id for update skip locked;
    if not found then
        return false;
    end if;
    perform internal.audit('expire_lease', _task_id::text, jsonb_build_object('lease_no', _row.lease_no));
    perform internal.end_dead_lease(_row, 'abandoned', queues.clock());
    return true;
end
$$;
comment on function queues.expire_lease(bigint) is 'Declares the holder of a task dead.';
