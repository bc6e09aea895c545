-- internal.enqueue_next_run(_task_id, _failures)
-- After a run that raised, enqueues the same run again for later.
create or replace function internal.enqueue_next_run(_task_id bigint, _failures integer) returns timestamptz
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _at constant timestamptz := queues.clock() + queues.backoff(5, _failures - 1, '10 minutes', 0);
    _task queues.task;
    _extras internal.task_extras;
begin
    select t.* into _task from queues.task as t where t.task_id = _task_id;
    _extras.max_crashes := _task.max_crashes;
    _extras.timeout := _task.timeout;
    perform internal.add_task(internal.enqueue_rule(_task.task_type, _task.queue), _task.task_type, _task.payload, _at,
                              _task.priority, 'supervisor', _extras);
    return _at;
end
$$;
comment on function internal.enqueue_next_run(bigint, integer) is 'Schedules a failed run of a supervisor again.';
