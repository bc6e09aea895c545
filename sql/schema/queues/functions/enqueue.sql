-- queues.enqueue(_task_type, _payload, _scheduled_at, ...)
-- Inserts a task and its ready row in the caller's transaction, and returns the id
-- of the task that will do the work: with a dedup key that may be a waiting one.
-- Reads   queues.registered_task_type, queues.queue, internal.allowed_function, internal.config
-- Writes  queues.task, queues.ready; for a supervisor queues.process
create or replace function queues.enqueue(
        _task_type queues.task_type, _payload jsonb, _scheduled_at timestamptz default now(),
        _queue text default null, _priority bigint default null,
        _dedup_key text default null, _dedup_policy text default 'skip',
        _max_crashes integer default null, _timeout interval default null,
        _on_in_doubt text default null, _idempotency_key text default null) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _at constant timestamptz := coalesce(_scheduled_at, now());
    _body constant jsonb := coalesce(_payload, '{}');
    _rule internal.task_rule;
    _kind text;
    _extras internal.task_extras;
    _id bigint;
begin
    _rule := internal.enqueue_rule(_task_type, _queue);
    if _rule.is_indirect then
        raise exception using errcode = '22023',
            message = format('task type "%s" cannot be enqueued directly', _task_type),
            hint = 'Use worker.enqueue for commands, and pgqueue.job_queue for jobs.';
    end if;
    if not isfinite(_at) then
        raise exception using errcode = '22008', message = 'scheduled_at must be a finite time';
    end if;
    perform internal.check_payload(_body, _rule.max_payload_bytes);
    _kind := internal.check_names(_body);
    if _max_crashes is not null or _timeout is not null or _on_in_doubt is not null
       or _idempotency_key is not null or _dedup_key is not null or _dedup_policy is distinct from 'skip' then
        _extras := internal.checked_extras(_dedup_key, _dedup_policy, _max_crashes, _timeout, _on_in_doubt,
                                           _idempotency_key);
    end if;

    if _dedup_key is null then
        _id := internal.add_task(_rule, _task_type, _body, _at, _priority, _kind, _extras);
    else
        _id := internal.add_or_absorb(_rule, _task_type, _body, _at, _priority, _kind, _extras, _dedup_policy);
    end if;
    perform internal.wake_workers(_rule.queue, _at, _rule.notify);
    return _id;
end
$$;
comment on function queues.enqueue(queues.task_type, jsonb, timestamptz, text, bigint, text, text, integer, interval, text, text) is
    'Adds a task in the caller''s transaction; returns the id of the task that will do the work.';
