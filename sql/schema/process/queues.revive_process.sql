-- queues.revive_process(_process_id, _at)
-- Enqueues a new run of an ended process; idle and failure counts start again.
create or replace function queues.revive_process(_process_id bigint, _at timestamptz default now()) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _task queues.task;
    _id bigint;
begin
    if _at is null or not isfinite(_at) then
        raise exception using errcode = '22008', message = 'time must be finite';
    end if;
    perform 1 from queues.process as p where p.process_id = _process_id for no key update;
    if not found then
        raise exception using errcode = 'P0002', message = format('process %s does not exist', _process_id);
    end if;
    if internal.is_live(_process_id) then
        raise exception using errcode = '55000', message = format('process %s is live', _process_id),
            hint = 'queues.wake_process brings its next run forward.';
    end if;
    select t.* into _task from queues.task as t where t.process_id = _process_id and t.is_supervisor_run order by t.task_id desc limit 1;
    if not found then
        raise exception using errcode = '55000', message = format('process %s has no run left to repeat', _process_id);
    end if;
    _id := internal.add_task(internal.enqueue_rule(_task.task_type, _task.queue), _task.task_type, _task.payload, _at,
                             _task.priority, 'supervisor', null);
    insert into queues.process_revived (process_id, revived_at, revived_by, task_id)
    values (_process_id, queues.clock(), internal.actor(), _id);
    perform internal.wake_workers(_task.queue, _at, true);
    return _id;
end
$$;
comment on function queues.revive_process(bigint, timestamptz) is 'Gives an ended process a new run.';
