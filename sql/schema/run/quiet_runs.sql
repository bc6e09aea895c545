-- internal.quiet_runs(_process_id, _facts)
-- Quiet runs in a row before this one; 0 if the facts have changed since.
create or replace function internal.quiet_runs(_process_id bigint, _facts jsonb) returns integer
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    return coalesce((select case when _facts is not null and _facts is distinct from r.facts then 0 else r.quiet_runs end
                     from queues.process_run as r where r.process_id = _process_id
                     order by r.run_no desc limit 1), 0);
end
$$;
comment on function internal.quiet_runs(bigint, jsonb) is 'Quiet runs of a process before this one.';

-- internal.leased_quiet_runs(_worker_id, _task_id, _lease_no, _facts)
-- The same for the process of a leased run, for the holder of the lease.
create or replace function internal.leased_quiet_runs(_worker_id uuid, _task_id bigint, _lease_no integer, _facts jsonb) returns integer
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    return internal.quiet_runs((internal.lock_running(_worker_id, _task_id, _lease_no)).process_id, _facts);
end
$$;
comment on function internal.leased_quiet_runs(uuid, bigint, integer, jsonb) is 'Quiet runs before a leased run.';
