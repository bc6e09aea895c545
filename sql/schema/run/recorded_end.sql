-- internal.recorded_end(_worker_id, _task_id, _lease_no)
-- The end of a task by this lease of this worker, for the answer to a repeated call.
create or replace function internal.recorded_end(_worker_id uuid, _task_id bigint, _lease_no integer, out outcome text, out status text)
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    select c.outcome, coalesce(c.status, c.outcome) into outcome, status from queues.task_completed as c
    join queues.task_lease as l on l.task_id = c.task_id and l.lease_no = c.lease_no
    join queues.holder as h on h.holder_id = l.holder_id
    where c.task_id = _task_id and c.lease_no = _lease_no and h.worker_id = _worker_id;
end
$$;
comment on function internal.recorded_end(uuid, bigint, integer) is 'The recorded end of a task.';
