-- internal.leased_task(_task_id)
-- The task that this session has just leased, with the payload of this lease.
create or replace function internal.leased_task(_task_id bigint) returns queues.task
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _task queues.task;
    _handed jsonb;
begin
    select r.payload into _handed from queues.running as r
    join queues.holder as h on h.holder_id = r.holder_id
    where r.task_id = _task_id and h.backend_pid = pg_backend_pid() and h.leased_by = session_user and h.worker_id is null;
    if not found then
        return null;
    end if;
    select t.* into _task from queues.task as t where t.task_id = _task_id;
    _task.payload := coalesce(_handed, _task.payload);
    return _task;
end
$$;
comment on function internal.leased_task(bigint) is 'A task that this session holds.';
