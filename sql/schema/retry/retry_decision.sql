-- internal.retry_decision(_task, _payload, _end)
-- Decides whether a failed attempt is retried.  max_attempts is null if no policy holds for the task.  The policy that the task
-- names wins over the one of its function, and that over the one of its type.  A task of a supervised process has no default
-- policy: its supervisor decides.
create or replace function internal.retry_decision(_task queues.task, _payload jsonb, _end internal.attempt_end,
        out attempt integer, out max_attempts integer, out backoff jsonb, out is_last boolean)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _of_function queues.retry_policy;
    _of_type queues.retry_policy;
begin
    if _task.process_id is null then
        select p.* into _of_function from queues.retry_policy as p
        where p.scope = 'function' and p.name = _payload->>'db_function';
    end if;
    select p.* into _of_type from queues.retry_policy as p where p.scope = 'type' and p.name = _task.task_type;
    attempt := coalesce(_task.attempt, 1);
    max_attempts := _task.max_attempts;
    backoff := _task.backoff;
    if _task.process_id is null then
        max_attempts := coalesce(max_attempts, _of_function.max_attempts, _of_type.max_attempts);
        backoff := coalesce(backoff, _of_function.backoff, _of_type.backoff);
    end if;
    is_last := coalesce(attempt >= max_attempts, true)
        or coalesce(_task.is_supervisor_run, false)
        or _end.outcome not in ('failed', 'non_success')
        or _end.status = 'validation_failed'
        or coalesce(_end.is_final, false)
        or coalesce(_end.status = any(_of_function.final_statuses), false)
        or coalesce(_end.status = any(_of_type.final_statuses), false)
        or exists (select 1 from queues.task_cancel_requested as c where c.task_id = _task.task_id);
end
$$;
comment on function internal.retry_decision(queues.task, jsonb, internal.attempt_end) is 'Whether a failed attempt is retried, and by which policy.';
