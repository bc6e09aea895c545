-- queues.record_result(... as queues.finish ...)
-- Stores outcome and result without running user code, after a finish that met a timeout or an error at commit.  It counts as a
-- failure of the handler: wait and limit apply.
create or replace function queues.record_result(_worker_id uuid, _task_id bigint, _lease_no integer, _outcome text,
        _result jsonb default null, _error text default null, _error_class text default null) returns text
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _step constant internal.finish_step :=
        internal.begin_finish(_worker_id, _task_id, _lease_no, _outcome, _result, _error, _error_class);
begin
    if _step.answer is not null then
        return _step.answer;
    end if;
    return internal.end_finish(_worker_id, _task_id, _lease_no, _step,
        case when _step.handler is not null
             then format('%s %s did not finish', replace(_step.handler_kind, '_', ' '), _step.handler) end, null);
end
$$;
comment on function queues.record_result(uuid, bigint, integer, text, jsonb, text, text) is
    'Stores a result without running its handler.';
