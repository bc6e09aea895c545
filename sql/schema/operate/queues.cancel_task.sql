-- queues.cancel_task(_task_id, _reason)
-- cancelled: the task waited and is completed now.  requested: the task runs; the request is a fact that its next step respects,
-- and the handler of a command is interrupted.  completed: too late.  The function never waits for a run.  The tasks below are cancelled
-- too.  If a policy has retried the task, its newest attempt is cancelled instead.
create or replace function queues.cancel_task(_task_id bigint, _reason text default null) returns text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform internal.check_text('reason', _reason, 1024);
    return internal.cancel_work(_task_id, _reason, true);
end
$$;
comment on function queues.cancel_task(bigint, text) is 'Cancels a task, or requests the end of its run.';
