-- internal.end_finish(_worker_id, _task_id, _lease_no, _step, _handler_error)
-- Last step of finish: the completion.  If the handler failed, the task waits until the handler alone runs again; after too many
-- failures it is quarantined, with its result.
create or replace function internal.end_finish(_worker_id uuid, _task_id bigint, _lease_no integer,
        _step internal.finish_step, _handler_error text, _handler_sqlstate text default null) returns text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row queues.running := internal.lock_running(_worker_id, _task_id, _lease_no);
    _type queues.registered_task_type;
    _end internal.run_end;
    _now constant timestamptz := queues.clock();
    _at timestamptz;
begin
    if _row.task_id is null then
        raise exception using errcode = 'QU002',
            message = format('lease %s of task %s is superseded, unknown or of another worker', _lease_no, _task_id);
    end if;
    select t.* into _type from queues.registered_task_type as t where t.type_id = _row.type_id;
    if _handler_error is not null then
        perform internal.record_error(_task_id, _lease_no, _handler_error, coalesce(_handler_sqlstate, 'QU003'),
                                    _step.handler_kind, 'handler');
    end if;
    if _handler_error is not null and _type.kind in ('call', 'nothing') then
        _row.handler_failures := coalesce(_row.handler_failures, 0) + 1;
        if _row.handler_failures >= internal.number_setting('handler_retry_limit') then
            perform internal.record_lease_end(_row, 'handler_failed', _now, _now, _step.outcome, _step.result, _step.error);
            perform internal.record_error(_task_id, _lease_no,
                format('quarantined: its handler failed %s times', _row.handler_failures), 'QU001', 'engine');
            perform internal.complete_running(_row, 'quarantined', 'quarantined', _step.result, _row.leased_at);
            return 'quarantined';
        end if;
        _at := _now + queues.backoff(5, _row.handler_failures - 1, '5 minutes', 0);
        perform internal.record_lease_end(_row, 'handler_failed', _now, _at, _step.outcome, _step.result, _step.error);
        _row.phase := 'h';
        perform internal.move_to_ready(_row, _at);
        return 'handler_failed';
    end if;
    if _row.is_supervisor_run then
        -- A run that timed out or failed at commit counts as one that raised.
        delete from queues.running as r where r.task_id = _task_id;
        insert into queues.task_completed (task_id, completed_at, outcome, lease_no, started_at)
        values (_task_id, _now, _step.status, _lease_no, _row.leased_at);
        _end.task_id := _task_id;
        _end.lease_no := _lease_no;
        _end.process_id := _row.process_id;
        _end.status := _step.status;
        _end.error := _step.error;
        _end.has_raised := true;
        perform internal.end_supervisor_run(_end);
    else
        perform internal.complete_running(_row, _step.status, _step.status, _step.result, _row.leased_at, null,
                                          internal.call_attempt(_task_id, _lease_no, _step));
    end if;
    return 'completed';
end
$$;
comment on function internal.end_finish(uuid, bigint, integer, internal.finish_step, text, text) is 'Records the end of a lease.';
