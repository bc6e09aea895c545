-- internal.insert_command(_task)
-- Inserts a task of a command and its ready row.  A serial child is born blocked.
create or replace function internal.insert_command(_task internal.command_task) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _here constant record := internal.current_run();
    _id bigint;
begin
    if _here.process_id is not null then
        perform internal.count_enqueued(_here.process_id, false);
    end if;
    insert into queues.task (task_type, payload, enqueued_at, scheduled_at, queue, priority, max_crashes, dedup_key,
        origin_task_id, process_id, parent_id, depth)
    values ('command', _task.payload, now(), _task.at, _task.queue, _task.priority, _task.max_crashes, _task.dedup_key,
        _here.task_id, _here.process_id, _task.parent_id, nullif(_task.depth, 0))
    returning task_id into _id;
    if _task.max_attempts is not null then
        perform internal.add_policy(_id, _task.max_attempts, _task.backoff);
    end if;
    if _here.is_traced or _task.payload ? 'traceparent' or current_setting('reeve.traceparent', true) <> '' then
        perform internal.keep_trace(_id, _task.payload, _here.task_id);
    end if;
    -- failpoint: enqueue.between
    insert into queues.ready (queue_id, priority, available_at, task_id, type_id, phase, max_crashes, process_id, parent_id,
        dedup_key)
    values (_task.queue_id, _task.priority, case when _task.is_blocked then 'infinity' else _task.at end, _id, _task.type_id,
        case when _task.is_blocked then 'b'::"char" end, _task.max_crashes, _here.process_id, _task.parent_id, _task.dedup_key);
    return _id;
end
$$;
comment on function internal.insert_command(internal.command_task) is 'Inserts a task of a command and its ready row.';
