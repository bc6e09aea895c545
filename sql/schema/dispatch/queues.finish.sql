-- queues.finish(_worker_id, _task_id, _lease_no, _outcome, _result, _error, _error_class)
-- Records the end of a lease: fence, result, handler in a subtransaction, completion.
-- Answers: completed, retry, handler_failed (the result is kept, only the handler runs again), quarantined (the handler failed too
-- often), duplicate (already recorded, nothing changes) or fenced (kept as evidence).
-- _error_class of database work is the SQLSTATE of its error.
-- After a lost connection it may be called again with the same arguments.
-- Security invoker: the handler runs with the caller's rights.
create or replace function queues.finish(_worker_id uuid, _task_id bigint, _lease_no integer, _outcome text,
        _result jsonb default null, _error text default null, _error_class text default null) returns text
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _step constant internal.finish_step :=
        internal.begin_finish(_worker_id, _task_id, _lease_no, _outcome, _result, _error, _error_class);
    _failure text;
    _failure_state text;
begin
    if _step.answer is not null then
        return _step.answer;
    end if;
    if _step.fail_hook is not null then
        execute format('select %s($1, $2, $3)', _step.fail_hook) using _worker_id, _task_id, _lease_no;
        return 'completed';
    end if;
    if _step.handler is not null then
        begin
            perform set_config('reeve.task_id', _task_id::text, true);
            perform internal.call_handler(_worker_id, _task_id, _lease_no, _step.handler_kind, _step.handler,
                                          _step.handler_input - 'original_payload');
        exception when assert_failure or others then
            if internal.is_passing(sqlstate) then
                raise;
            end if;
            _failure_state := sqlstate;
            _failure := case when sqlstate = 'QU003' then sqlerrm
                             else format('%s %s failed: %s', replace(_step.handler_kind, '_', ' '), _step.handler, sqlerrm) end;
        end;
        perform set_config('reeve.task_id', '', true);
    end if;
    return internal.end_finish(_worker_id, _task_id, _lease_no, _step, _failure, _failure_state);
end
$$;
comment on function queues.finish(uuid, bigint, integer, text, jsonb, text, text) is 'Records the result of a lease and runs its handler.';
