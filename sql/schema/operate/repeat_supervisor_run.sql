-- internal.repeat_supervisor_run(_task_id, _at, _rule)
-- Repeats a run of a supervisor, which belongs to its process.
create or replace function internal.repeat_supervisor_run(_task_id bigint, _at timestamptz, _rule internal.task_rule) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _task queues.task;
    _extras internal.task_extras;
    _id bigint;
begin
    select t.* into strict _task from queues.task as t where t.task_id = _task_id;
    _extras.max_crashes := _task.max_crashes;
    _extras.timeout := _task.timeout;
    _extras.on_in_doubt := _task.on_in_doubt;
    _extras.retry_of := _task_id;
    select a.max_attempts, a.backoff into _extras.max_attempts, _extras.backoff from queues.task_attempt as a where a.task_id = _task_id;
    _id := internal.add_task(_rule, _task.task_type, (select p.payload from internal.last_payloads(array[_task_id]) as p), _at, _task.priority,
                             'supervisor', _extras);
    perform internal.wake_workers(_rule.queue, _at, _rule.notify);
    return _id;
end
$$;
comment on function internal.repeat_supervisor_run(bigint, timestamptz, internal.task_rule) is 'Repeats a run of a supervisor.';
