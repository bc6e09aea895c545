-- queues.wake_process(_supervisor, _ids, _at)
-- Brings the next run of a process forward to _at, never back.  If a run is in progress, one more is enqueued, so that it sees
-- the latest facts.  It returns false if the process has no open run.
create or replace function queues.wake_process(_supervisor text, _ids jsonb, _at timestamptz default now()) returns boolean
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _process bigint;
    _row queues.ready;
    _task queues.task;
begin
    if _supervisor is null or _ids is null or _at is null then
        raise exception using errcode = '22004', message = 'supervisor, ids and time must not be null';
    end if;
    if not isfinite(_at) then
        raise exception using errcode = '22008', message = 'time must be finite';
    end if;
    perform internal.check_reserved(jsonb_build_object('db_function', _supervisor));
    select p.process_id into _process from queues.process as p where p.supervisor = _supervisor and p.ids = _ids;
    select r.* into _row from queues.ready as r
    where r.process_id = _process and r.is_supervisor_run
    order by r.available_at, r.task_id limit 1 for update skip locked;
    if found then
        if _row.available_at > _at then
            perform internal.move_in_time(_row, _at, 'wake');
        end if;
        return true;
    end if;
    -- No run waits, or it is being claimed at this moment: one more run sees all facts.
    select t.* into _task from queues.task as t
    where t.task_id = coalesce(
        (select r.task_id from queues.running as r where r.process_id = _process and r.is_supervisor_run limit 1),
        (select r.task_id from queues.ready as r where r.process_id = _process and r.is_supervisor_run limit 1));
    if not found then
        return false;
    end if;
    perform internal.add_task(internal.enqueue_rule(_task.task_type, _task.queue), _task.task_type, _task.payload, _at,
                              _task.priority, 'supervisor', null);
    perform internal.wake_workers(_task.queue, _at, true);
    return true;
end
$$;
comment on function queues.wake_process(text, jsonb, timestamptz) is 'Brings the next run of a process forward.';
