-- internal.restart_lease(_row, _now)
-- Restarts a lease that counts from the future, with its full length.  The caller holds the running row.
create or replace function internal.restart_lease(_row queues.running, _now timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _since constant timestamptz := coalesce(_row.renewed_at, _row.leased_at);
    _end constant timestamptz := internal.lease_end(_since, _row.expires_at, _now, _row.expires_at - _since);
begin
    update queues.running as r set renewed_at = _now, expires_at = _end where r.task_id = _row.task_id;
    insert into queues.task_lease_renewed (task_id, lease_no, renewed_at, expires_at)
    values (_row.task_id, _row.lease_no, _now, _end);
end
$$;
comment on function internal.restart_lease(queues.running, timestamptz) is 'Restarts a lease with its full length.';
