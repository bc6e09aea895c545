-- internal.lease_for_test(_task_id, _worker_id)
-- Leases one given task in this transaction, even before its time, and returns the lease number.
create or replace function internal.lease_for_test(_task_id bigint, _worker_id uuid) returns integer
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row queues.ready;
begin
    perform internal.require_task(_task_id);
    _row := internal.lock_ready(_task_id);
    if _row.task_id is null then
        raise exception using errcode = '55000', message = format('task %s does not wait', _task_id);
    end if;
    perform internal.lease_row(_row, _worker_id);
    return _row.lease_no + 1;
end
$$;
comment on function internal.lease_for_test(bigint, uuid) is 'Leases one given task in this transaction.';
