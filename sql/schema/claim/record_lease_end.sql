-- internal.record_lease_end(_row, _how, _at, _retry_at, _outcome, _result, _error)
-- Records that a lease ended without completing its task.
create or replace function internal.record_lease_end(_row queues.running, _how text, _at timestamptz,
        _retry_at timestamptz, _outcome text default null, _result jsonb default null, _error text default null)
    returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    insert into queues.task_lease_ended (task_id, lease_no, ended_at, how, retry_at, outcome, result, error_message)
    values (_row.task_id, _row.lease_no, _at, _how, _retry_at, _outcome, _result, _error);
end
$$;
comment on function internal.record_lease_end(queues.running, text, timestamptz, timestamptz, text, jsonb, text) is
    'Records the end of a lease.';
