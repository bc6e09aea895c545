-- queues.fail_task(_task_id, _error_message, _lease_no)
-- Appends an error fact to a task that was dequeued by this login, and changes nothing else: the lease continues.
create or replace function queues.fail_task(_task_id bigint, _error_message text, _lease_no integer default null) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _held constant integer := coalesce(_lease_no, queues.held_lease(_task_id));
begin
    perform internal.require_task(_task_id);
    if not exists (select 1 from queues.task_lease as l join queues.holder as h on h.holder_id = l.holder_id
                   where l.task_id = _task_id and l.lease_no = _held and h.worker_id is null and h.leased_by = session_user) then
        raise exception using errcode = 'QU002', message = format('no lease of task %s was taken by "%s"', _task_id, session_user),
            hint = 'Only the login that dequeued a task can report its errors.';
    end if;
    perform internal.record_error(_task_id, _held, _error_message, null, 'client');
end
$$;
comment on function queues.fail_task(bigint, text, integer) is 'Appends an error fact to a task.';
