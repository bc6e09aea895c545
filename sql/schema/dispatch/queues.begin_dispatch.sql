-- queues.begin_dispatch(_worker_id, _task_id, _lease_no)
-- Runs before the first outside effect of a lease: fence, before handler, dispatch fact with the idempotency key.  Decisions: send,
-- run, stored, completed, expired, fenced.  A type may announce its calls itself (hook begin), or have a step of its own before its
-- run (hook prepare).
-- Security invoker: the before handler runs with the caller's rights.
create or replace function queues.begin_dispatch(_worker_id uuid, _task_id bigint, _lease_no integer)
    returns table (decision text, adapter text, request jsonb, body text, secrets jsonb, idempotency_key text,
                   timeout interval)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _step constant internal.dispatch_step := internal.begin_dispatch_step(_worker_id, _task_id, _lease_no);
    _request jsonb;
    _answer jsonb;
    _error text;
    _state text;
    _is_already_done boolean := false;
    _problem text := _step.error;
    _class text := 'handler';
begin
    if _step.decision is not null then
        return query select _step.decision, _step.adapter, null::jsonb, null::text, null::jsonb, null::text, _step.timeout;
        return;
    end if;
    if _step.hooks ? 'begin' then
        return query execute format(
            'select r.decision, $4, r.request, r.body, r.secrets, r.idempotency_key, r.timeout from %s($1, $2, $3) as r', _step.hooks->>'begin')
            using _worker_id, array[_task_id], array[_lease_no], _step.adapter;
        return;
    end if;
    if _step.hooks ? 'prepare' then
        return query execute format(
            'select %s($1, $2, $3), $4, null::jsonb, null::text, null::jsonb, null::text, $5', _step.hooks->>'prepare')
            using _worker_id, _task_id, _lease_no, _step.adapter, _step.timeout;
        return;
    end if;
    if _problem is null and _step.before_handler is not null then
        begin
            perform set_config('reeve.task_id', _task_id::text, true);
            _answer := coalesce(internal.run_leased(_worker_id, _task_id, _lease_no, 'before_handler'), '{}');
        exception when assert_failure or others then
            if internal.is_passing(sqlstate) then
                raise;
            end if;
            _error := sqlerrm;
            _state := sqlstate;
        end;
        perform set_config('reeve.task_id', '', true);
        select j.request, j.is_already_done, j.problem, j.error_class into _request, _is_already_done, _problem, _class
        from internal.judge_before(_step.before_handler, _step.adapter, _answer, _error, _state) as j;
    elsif _problem is null then
        _request := case when _step.sends_payload then _step.payload else coalesce(_step.payload->'request', '{}') end;
        _problem := internal.request_problem(_step.adapter, _request);
        _class := 'payload';
    end if;
    if _is_already_done then
        perform queues.finish(_worker_id, _task_id, _lease_no, 'succeeded', '{"already_done": true}');
    elsif _problem is not null then
        perform queues.finish(_worker_id, _task_id, _lease_no, 'failed', null, _problem, _class);
    end if;
    if _is_already_done or _problem is not null then
        return query select 'completed'::text, _step.adapter, null::jsonb, null::text, null::jsonb, null::text, _step.timeout;
        return;
    end if;
    -- failpoint: begin.before_fact
    return query
        select 'send'::text, _step.adapter, _request,
               case jsonb_typeof(_request->'body') when 'string' then _request->>'body' when 'null' then null
                                                   else (_request->'body')::text end,
               case when _request ?| array['secret_headers', 'sign']
                    then internal.request_secrets(_worker_id, _task_id, _lease_no, _request) else '{}' end,
               -- A program gets the payload, and a field of a payload gives way to the key of the task.
               internal.record_dispatch(_worker_id, _task_id, _lease_no,
                   case when _step.before_handler is not null or not _step.sends_payload then _request->>'idempotency_key' end),
               _step.timeout;
end
$$;
comment on function queues.begin_dispatch(uuid, bigint, integer) is 'Prepares an outside effect and announces it.';
