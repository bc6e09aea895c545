-- internal.add_task(_rule, _task_type, _payload, _at, _priority, _kind, _extras)
-- Inserts a task and its ready row.  _rule is the result of internal.enqueue_rule, _kind that of internal.check_names.
create or replace function internal.add_task(_rule internal.task_rule, _task_type text, _payload jsonb, _at timestamptz,
        _priority bigint, _kind text, _extras internal.task_extras) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _here constant record := internal.current_run();
    _is_supervisor_run constant boolean := case when _kind = 'supervisor' then true end;
    _process bigint;
    _id bigint;
begin
    if _is_supervisor_run then
        _process := internal.process_of(_payload->>'db_function', _payload);
    else
        _process := _here.process_id;
    end if;
    if _here.task_id is not null then
        perform internal.count_enqueued(_process, _is_supervisor_run);
    end if;
    insert into queues.task (task_type, payload, enqueued_at, scheduled_at, queue, priority, task_uuid,
        max_crashes, timeout, on_in_doubt, idempotency_key, dedup_key, origin_task_id, process_id, is_supervisor_run,
        parent_id, depth, retry_of)
    values (_task_type, _payload, now(), _at, _rule.queue, coalesce(_priority, 0),
        case when _rule.kind = 'call' then gen_random_uuid() end,
        _extras.max_crashes, _extras.timeout, _extras.on_in_doubt, _extras.idempotency_key, _extras.dedup_key,
        _here.task_id, _process, _is_supervisor_run, _extras.parent_id, _extras.depth, _extras.retry_of)
    returning task_id into _id;
    if _extras.max_attempts is not null then
        perform internal.add_policy(_id, _extras.max_attempts, _extras.backoff);
    end if;
    if _here.is_traced or _payload ? 'traceparent' or _extras.retry_of is not null
       or current_setting('reeve.traceparent', true) <> '' then
        perform internal.keep_trace(_id, _payload, _here.task_id, _extras.retry_of);
    end if;
    -- failpoint: enqueue.between
    insert into queues.ready (queue_id, priority, available_at, task_id, type_id, max_crashes, is_supervisor_run,
        process_id, parent_id, timeout, dedup_key, destination)
    values (_rule.queue_id, coalesce(_priority, 0), _at, _id, _rule.type_id, _extras.max_crashes, _is_supervisor_run,
        _process, _extras.parent_id, _extras.timeout, _extras.dedup_key, 
        case when _rule.kind = 'call' then internal.call_destination(_rule.adapter, _payload) end);
    return _id;
end
$$;
comment on function internal.add_task(internal.task_rule, text, jsonb, timestamptz, bigint, text, internal.task_extras) is
    'Inserts a task and its ready row.';
