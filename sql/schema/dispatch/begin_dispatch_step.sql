-- internal.begin_dispatch_step(_worker_id, _task_id, _lease_no)
-- The fence of begin_dispatch, and the call that follows.  A lease that has run out may not send any more, but may still finish.
create or replace function internal.begin_dispatch_step(_worker_id uuid, _task_id bigint, _lease_no integer)
    returns internal.dispatch_step
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _row queues.running;
    _task queues.task;
    _type queues.registered_task_type;
    _step internal.dispatch_step;
begin
    perform internal.require_read_committed('begin_dispatch');
    _row := internal.lock_running(_worker_id, _task_id, _lease_no);
    if _row.task_id is null then
        _step.decision := 'fenced';
        return _step;
    end if;
    -- failpoint: begin.after_fence
    select t.* into _task from queues.task as t where t.task_id = _task_id;
    select t.* into _type from queues.registered_task_type as t where t.type_id = _row.type_id;
    _step.adapter := _type.adapter;
    _step.timeout := coalesce(_task.timeout,
        (select v.timeout from internal.task_variant as v where v.type_id = _type.type_id and v.variant = _task.payload->>_type.variant_key),
        _type.timeout);
    _step.hooks := _type.hooks;
    _step.sends_payload := _type.sends_payload;
    if _type.kind not in ('prepared', 'call') then
        raise exception using errcode = '22023', message = format('adapter %s is not dispatched', _type.adapter);
    end if;
    if exists (select 1 from queues.task_cancel_requested as c where c.task_id = _task_id) then
        perform internal.complete_running(_row, 'cancelled', 'cancelled', null, null, 'engine');
        _step.decision := 'completed';
    elsif _type.kind = 'call'
          and exists (select 1 from internal.stored_result(_task_id) as s where s.outcome is not null) then
        _step.decision := 'stored';
    elsif _row.expires_at < queues.clock() then
        _step.decision := 'expired';
    else
        _step.payload := coalesce(_row.payload, _task.payload);
        _step.before_handler := case when _type.kind = 'call' then _step.payload->>'before_handler' end;
        if _type.before_required and _step.before_handler is null then
            _step.error := format('%s task missing before_handler', _task.task_type);
        end if;
    end if;
    return _step;
end
$$;
comment on function internal.begin_dispatch_step(uuid, bigint, integer) is 'Fences a dispatch.';
