-- queues.retry_task(_task_id, _scheduled_at, _same_key)
-- Repeats a completed task, as a new task that refers to the old one.  It gets a new idempotency key, unless the caller asks
-- otherwise or the old task ended in doubt.
create or replace function queues.retry_task(_task_id bigint, _scheduled_at timestamptz default now(),
        _same_key boolean default null) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _task queues.task;
    _outcome text;
    _extras internal.task_extras;
    _rule internal.task_rule;
    _id bigint;
    _at constant timestamptz := coalesce(_scheduled_at, now());
begin
    perform internal.require_task(_task_id);
    if not isfinite(_at) then
        raise exception using errcode = '22008', message = 'scheduled_at must be a finite time';
    end if;
    select c.outcome into _outcome from queues.task_completed as c where c.task_id = _task_id;
    if _outcome is null then
        raise exception using errcode = '55000', message = format('task %s is not completed', _task_id),
            hint = 'Only a completed task can be retried; cancel it first, or wait.';
    end if;
    if internal.last_attempt(_task_id) <> _task_id
       and not exists (select 1 from queues.task_completed as c where c.task_id = internal.last_attempt(_task_id)) then
        raise exception using errcode = '55000', message = format('task %s is retried by its policy already, as task %s', _task_id,
                                                                  internal.last_attempt(_task_id)),
            hint = format('select queues.reschedule_task(%s, now());', internal.last_attempt(_task_id));
    end if;
    select t.* into _task from queues.task as t where t.task_id = _task_id;
    if _task.task_type in ('job_http', 'job_func') then
        raise exception using errcode = '0A000', message = format('task %s is a run of a job', _task_id),
            hint = format('select pgqueue.retry_job(%s);', _task.payload->>'job_id');
    end if;
    _extras.max_crashes := _task.max_crashes;
    _extras.timeout := _task.timeout;
    _extras.on_in_doubt := _task.on_in_doubt;
    _extras.retry_of := _task_id;
    select a.max_attempts, a.backoff into _extras.max_attempts, _extras.backoff from queues.task_attempt as a where a.task_id = _task_id;
    if coalesce(_same_key, _outcome = 'in_doubt') then
        _extras.idempotency_key := coalesce(
            (select d.idempotency_key from queues.task_dispatched as d where d.task_id = _task_id order by d.lease_no limit 1),
            _task.idempotency_key, nullif(left(_task.payload->>'idempotency_key', 256), ''), _task.task_uuid::text);
    end if;
    _rule := internal.enqueue_rule(_task.task_type, _task.queue);
    -- The payload of the last lease, or the payload with its merges.
    _task.payload := coalesce(
        (select f.payload from queues.task_folded as f where f.task_id = _task_id order by f.lease_no desc limit 1),
        (select l.payload from queues.task_lease as l where l.task_id = _task_id order by l.lease_no desc limit 1),
        internal.merged_payload(_task_id, _task.payload));
    _id := internal.add_task(_rule, _task.task_type, _task.payload, _at, _task.priority,
                             internal.check_names(_task.payload), _extras);
    perform internal.audit('retry_task', _task_id::text, jsonb_build_object('new_task_id', _id));
    perform internal.wake_workers(_rule.queue, _at, _rule.notify);
    return _id;
end
$$;
comment on function queues.retry_task(bigint, timestamptz, boolean) is 'Repeats a completed task, as a new task.';
