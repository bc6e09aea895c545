-- internal.complete_running(_row, _outcome, _status, _result, _started_at, _completed_by, _attempt)
-- The only function that ends a leased task.  The caller holds the running row.  If a run of a supervisor ends here, and not by
-- returning, it may be the last of its process.  _attempt is what a retry must know of the end; null: only outcome and status.
-- The hook "ended" of the task type does everything else that follows.
create or replace function internal.complete_running(_row queues.running, _outcome text, _status text, _result jsonb,
        _started_at timestamptz, _completed_by text default null, _attempt internal.attempt_end default null) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _hook text;
begin
    -- failpoint: finish.before_delete
    delete from queues.running as r where r.task_id = _row.task_id;
    insert into queues.task_completed (task_id, completed_at, outcome, status, lease_no, started_at, result, completed_by)
    values (_row.task_id, queues.clock(), _outcome, nullif(_status, _outcome), _row.lease_no, _started_at, _result,
            _completed_by);
    if _row.is_supervisor_run then
        perform internal.close_process_if_done(_row.process_id, _outcome, null);
        return;
    end if;
    if _outcome in ('failed', 'non_success') then
        if _attempt.task_id is null then
            _attempt := row(_row.task_id, _row.lease_no, _outcome, _status, null, null);
        end if;
        perform internal.retry_tasks(array[_attempt]);
    end if;
    select t.hooks->>'ended' into _hook from queues.registered_task_type as t where t.type_id = _row.type_id;
    if _hook is not null then
        execute format('select %s($1, $2, $3, $4, $5, $6)', _hook)
        using _row.task_id, _row.lease_no, _row.priority, _row.parent_id, _outcome, true;
    end if;
end
$$;
comment on function internal.complete_running(queues.running, text, text, jsonb, timestamptz, text, internal.attempt_end) is 'Completes a leased task.';
