-- internal.abandon_lease(_task_id, _lease_no)
-- The backend of a lease is gone: its task is claimable again at once.  False while a run still
-- holds the row, or when the lease has ended.
create or replace function internal.abandon_lease(_task_id bigint, _lease_no integer) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row queues.running;
begin
    select r.* into _row from queues.running as r where r.task_id = _task_id and r.lease_no = _lease_no for update skip locked;
    if not found then
        return false;
    end if;
    perform internal.end_dead_lease(_row, 'abandoned', queues.clock());
    return true;
end
$$;
comment on function internal.abandon_lease(bigint, integer) is 'Ends the lease of a backend that is gone.';
