-- internal.begin_finish(_worker_id, _task_id, _lease_no, _outcome, _result, _error, _error_class)
-- First step of finish: fence, error fact, and the step that follows.  If answer is not null, nothing follows.  The result of a
-- superseded lease is kept as evidence.
create or replace function internal.begin_finish(_worker_id uuid, _task_id bigint, _lease_no integer, _outcome text,
        _result jsonb, _error text, _error_class text) returns internal.finish_step
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row queues.running;
    _task queues.task;
    _type queues.registered_task_type;
    _step internal.finish_step;
    _state text;
begin
    perform internal.require_read_committed('finish');
    if _outcome is null or _outcome not in ('succeeded', 'failed', 'answered', 'in_doubt', 'stored', 'transient', 'unsent') then
        raise exception using errcode = '22023', message = format('unknown outcome "%s"', coalesce(left(_outcome, 64), 'null'));
    end if;
    _row := internal.lock_running(_worker_id, _task_id, _lease_no);
    if _row.task_id is null then
        _step.answer := internal.keep_late_result(_worker_id, _task_id, _lease_no, _outcome, _result, _error);
        return _step;
    end if;
    -- failpoint: finish.after_fence
    select t.* into _task from queues.task as t where t.task_id = _task_id;
    select t.* into _type from queues.registered_task_type as t where t.type_id = _row.type_id;
    if _outcome not in ('failed', 'transient')
       and (_type.kind in ('run', 'prepared') and not (_outcome = 'succeeded' and coalesce(_type.hooks ? 'finish', false))
            or _outcome = 'answered' and not (select a.answers from internal.adapter as a where a.adapter = _type.adapter)) then
        raise exception using errcode = '22023',
            message = format('outcome "%s" is not possible for adapter %s', _outcome, _type.adapter);
    end if;
    if _outcome = 'unsent' then
        -- Announced, and certainly not sent, for a reason of the worker itself: nothing is counted.
        if exists (select 1 from queues.task_cancel_requested as c where c.task_id = _task_id) then
            perform internal.complete_running(_row, 'cancelled', 'cancelled', null, null, 'engine');
            _step.answer := 'completed';
        else
            perform internal.give_back(_row, _error);
            _step.answer := 'retry';
        end if;
        return _step;
    end if;
    -- The worker interrupted the call because of the request.
    if _outcome = 'failed' and _error_class = 'cancelled' then
        if exists (select 1 from queues.task_cancel_requested as c where c.task_id = _task_id) then
            perform internal.record_error(_task_id, _lease_no, coalesce(left(_error, 8192), 'cancelled'), null, 'provider', 'cancelled');
            perform internal.complete_running(_row, 'cancelled', 'cancelled', null, _row.leased_at);
            _step.answer := 'completed';
            return _step;
        end if;
        _error_class := null;
    end if;
    if _outcome = 'transient' then
        if coalesce(_row.retry_count, 0) < internal.number_setting('transient_retry_limit') then
            perform internal.retry_later(_row, _error);
            _step.answer := 'retry';
            return _step;
        end if;
        _outcome := 'failed';
        _error := format('gave up after %s passing errors: %s', coalesce(_row.retry_count, 0), coalesce(_error, 'unknown'));
    end if;

    if _type.hooks ? 'finish' then
        execute format('select %s($1, array[$2], array[$3], array[$4], array[$5], array[$6], array[$7])', _type.hooks->>'finish')
        using _worker_id, _task_id, _lease_no, _outcome, _result, _error, _error_class;
        _step.answer := 'completed';
        return _step;
    end if;
    -- For database work, the class of an error is its SQLSTATE.
    if _type.kind in ('run', 'prepared') and _error_class ~ '^[0-9A-Z]{5}$' then
        _state := _error_class;
        _error_class := null;
    elsif _error_class in ('validation', 'final') then
        _state := 'QU011';
    end if;
    _step.error_class := _error_class;
    if _outcome = 'stored' then
        select s.outcome, s.result, s.error_message, coalesce(s.final_class, _step.error_class)
        into _step.outcome, _step.result, _step.error, _step.error_class
        from internal.stored_result(_task_id) as s;
        if _step.outcome is null then
            raise exception using errcode = '22023', message = format('task %s has no stored result', _task_id);
        end if;
        if _step.outcome = 'in_doubt' then
            _step.error_class := 'in_doubt';
        end if;
    else
        _step.outcome := _outcome;
        _step.result := internal.bounded(_result);
        _step.error := left(_error, 8192);
    end if;
    if _step.outcome = 'answered' then
        -- The result as it was reported; the stored one may be cut.
        if (_result->>'status') ~ '^2[0-9][0-9]$' then
            _step.outcome := 'succeeded';
        else
            _step.outcome := 'failed';
            _step.error := coalesce(_step.error, format('http status %s', left(coalesce(_result->>'status', '?'), 16)));
        end if;
    end if;
    if _step.outcome = 'in_doubt' then
        _step.error := coalesce(_step.error, 'in doubt: dispatched without a result');
        _step.error_class := 'in_doubt';
    end if;
    -- A success may also have a remark.
    if (_step.outcome <> 'succeeded' or _step.error is not null) and _outcome <> 'stored' then
        perform internal.record_error(_task_id, _lease_no, coalesce(_step.error, 'failed'), _state,
            case when _row.is_supervisor_run then 'supervisor' when _type.kind in ('run', 'prepared') then 'function'
                 when _error_class in ('handler', 'validation', 'payload') then 'before_handler' else 'provider' end,
            case when _error_class = 'validation' then 'handler' else _step.error_class end);
    end if;
    _step.status := case when _step.outcome = 'in_doubt' and coalesce(_task.on_in_doubt, _type.on_in_doubt) <> 'fail'
                         then 'failed' else _step.outcome end;
    if _type.hooks ? 'fail' then
        _step.fail_hook := _type.hooks->>'fail'; -- this hook ends the run itself, and the payload names no handlers
        return _step;
    end if;
    -- failpoint: finish.after_outcome
    _step := internal.with_handler(_step, coalesce(_row.payload, _task.payload));
    if _step.outcome <> 'succeeded' and _step.handler is not null then
        _step.handler_input := _step.handler_input
            || internal.attempt_info(internal.call_attempt(_task_id, _lease_no, _step));
    end if;
    return _step;
end
$$;
comment on function internal.begin_finish(uuid, bigint, integer, text, jsonb, text, text) is 'Fences a finish and returns its next step.';
