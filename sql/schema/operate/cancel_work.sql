-- internal.cancel_work(_task_id, _reason, _is_audited)
-- cancelled: the task waited and is completed now.  requested: the task runs; the request is a fact that its next step respects,
-- and the handler of a command is interrupted.  completed: too late.  The function never waits for a run.  The tasks below are cancelled
-- too.  If a policy has retried the task, its newest attempt is cancelled instead.  _is_audited: each task that is
-- cancelled is an act of its own; otherwise the caller has recorded the act.
create or replace function internal.cancel_work(_task_id bigint, _reason text, _is_audited boolean) returns text
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _asked constant bigint := _task_id;
    _row queues.ready;
    _answer text;
begin
    perform internal.require_task(_task_id);
    _task_id := internal.last_attempt(_task_id);
    -- The rows of the tree come before the working rows, as everywhere: children and siblings that end meanwhile wait.
    perform internal.hold_trees(array[_task_id]);
    -- failpoint: cancel.after_trees
    for _look in 1 .. 100 loop
        if exists (select 1 from queues.task_completed as c where c.task_id = _task_id) then
            if internal.last_attempt(_task_id) = _task_id then
                _answer := 'completed';
            else
                _task_id := internal.last_attempt(_task_id); -- the attempt ended meanwhile, and there is another one
            end if;
        else
            _row := internal.lock_ready(_task_id);
            if _row.task_id is not null then
                perform internal.drop_ready(_row, 'cancelled', _reason);
                if _row.is_supervisor_run then
                    perform internal.close_process_if_done(_row.process_id, 'cancelled', _reason);
                end if;
                _answer := 'cancelled';
            elsif not pg_try_advisory_xact_lock(20548, (_task_id & 2147483647)::integer) then
                -- Its end is being recorded, and may add another attempt (internal.retry_tasks): wait for it, and look again.
                perform pg_advisory_xact_lock(20548, (_task_id & 2147483647)::integer);
            elsif exists (select 1 from queues.running as r where r.task_id = _task_id) then
                insert into queues.task_cancel_requested (task_id, requested_at, requested_by, reason)
                values (_task_id, queues.clock(), internal.actor(), _reason)
                on conflict (task_id) do nothing;
                perform pg_notify('worker_control', 'cancel') from queues.task as t
                join queues.registered_task_type as y on y.task_type = t.task_type
                where t.task_id = _task_id and y.is_interrupted; -- the worker interrupts the run
                _answer := 'requested';
            end if;
        end if;
        exit when _answer is not null;
        -- The task moved between our statements: look again.
    end loop;
    if _answer is null then
        raise exception using errcode = '55000', message = format('task %s is neither waiting, running nor completed', _task_id),
            hint = 'select queues.rebuild_working_set();';
    end if;
    if _is_audited then
        perform internal.audit('cancel_task', _task_id::text, jsonb_build_object('reason', _reason, 'answer', _answer)
            || case when _asked <> _task_id then jsonb_build_object('asked_task_id', _asked) else '{}' end);
    end if;
    perform internal.cancel_below(_task_id, _reason, _is_audited);
    return _answer;
end
$$;
comment on function internal.cancel_work(bigint, text, boolean) is 'Cancels a task and the tasks below, or requests the end of their runs.';
