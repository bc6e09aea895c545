-- internal.leased_attempt_info(_worker_id, _end)
-- internal.attempt_info for a run of database work, by its worker.  Nothing is said of a task that this worker has not leased.
create or replace function internal.leased_attempt_info(_worker_id uuid, _end internal.run_end) returns jsonb
    language plpgsql stable security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (select 1 from queues.running as r join queues.holder as h on h.holder_id = r.holder_id
                   where r.task_id = _end.task_id and r.lease_no = _end.lease_no and h.worker_id = _worker_id) then
        return '{}'::jsonb;
    end if;
    return internal.attempt_info(row(_end.task_id, _end.lease_no, _end.outcome, _end.status, _end.is_final, null)::internal.attempt_end);
end
$$;
comment on function internal.leased_attempt_info(uuid, internal.run_end) is 'Number of an attempt, for the error handler of a run.';
