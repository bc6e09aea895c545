-- queues.begin_dispatch_batch(_worker_id, _task_ids, _lease_nos, _places)
-- Announces several calls in one transaction; an error in one does not touch the others.  The common case is written out here: each
-- before handler runs in its own subtransaction, and the facts of all are inserted at the end.  All other cases go through
-- queues.begin_dispatch.  Types that announce their calls themselves (hook begin) come first, all at once.
-- destination: the destination of a request, if only its before handler knew it.  attempt: number of the attempt, from 1.
-- traceparent: the trace of a task that is sent; null: none.
-- _places: number of calls that can begin at once; null: all.  Behind these, a task that would fail if its worker died between
-- announcement and call (on_in_doubt = fail) is not announced: decision later.
-- Security invoker: before handlers run with the caller's rights.
create or replace function queues.begin_dispatch_batch(_worker_id uuid, _task_ids bigint[], _lease_nos integer[],
        _places integer default null)
    returns table (task_id bigint, decision text, adapter text, request jsonb, body text, secrets jsonb,
                   idempotency_key text, timeout interval, error text, sqlstate text, destination text, attempt integer,
                   traceparent text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _path constant text := internal.text_setting('handler_search_path');
    _definer constant boolean := internal.text_setting('runner_mode') = 'definer';
    _task record;
    _statement text;
    _answer jsonb;
    _judged record;
    _void text;
    _ids bigint[] := array[]::bigint[];
    _nos integer[] := array[]::integer[];
    _keys text[] := array[]::text[];
    _adapters text[] := array[]::text[];
    _requests jsonb[] := array[]::jsonb[];
    _timeouts interval[] := array[]::interval[];
    _destinations text[] := array[]::text[];
    _attempts integer[] := array[]::integer[];
    _traces text[] := array[]::text[];
    _free integer := coalesce(_places, cardinality(_task_ids));
    _begun bigint[] := array[]::bigint[];
    _hook record;
    _call internal.begun_run;
    _message text;
    _state text;
begin
    perform internal.require_read_committed('begin_dispatch');
    perform internal.check_pairs(_task_ids, _lease_nos);
    for _hook in select distinct h.hook, h.adapter from internal.hooks_of(_task_ids, 'begin') as h loop
        for _call in execute format('select * from %s($1, $2, $3)', _hook.hook) using _worker_id, _task_ids, _lease_nos loop
            _begun := _begun || _call.task_id;
            return query select _call.task_id, _call.decision, _hook.adapter, _call.request, _call.body, _call.secrets,
                                _call.idempotency_key, _call.timeout, null::text, null::text, null::text, null::integer,
                                _call.traceparent;
        end loop;
    end loop;
    if cardinality(_begun) = cardinality(_task_ids) then
        return;
    end if;
    for _task in
        select d.* from internal.begin_dispatches(_worker_id, _task_ids, _lease_nos) as d
        where d.task_id <> all(_begun)
    loop
        _free := _free - 1;
        if _free < 0 and _task.is_careful then
            return query select _task.task_id, 'later'::text, _task.adapter, null::jsonb, null::text, null::jsonb, null::text,
                                null::interval, null::text, null::text, null::text, null::integer, null::text;
            continue;
        end if;
        -- No user code runs here, so there is no subtransaction.
        if _task.is_plain and not _definer and _task.call is null then
            _answer := case when _task.sends_payload then _task.payload else coalesce(_task.payload->'request', '{}') end;
            if jsonb_typeof(_answer) = 'object' and internal.request_problem(_task.adapter, _answer) is null then
                _ids := _ids || _task.task_id;
                _nos := _nos || _task.lease_no;
                -- A program gets the payload, and a field of a payload gives way to the key of the task.
                _keys := _keys || case when not _task.sends_payload then _answer->>'idempotency_key' end;
                _adapters := _adapters || _task.adapter;
                _requests := _requests || _answer;
                _timeouts := _timeouts || _task.timeout;
                _destinations := array_append(_destinations, null);
                _attempts := _attempts || _task.attempt;
                _traces := array_append(_traces, _task.traceparent);
                continue;
            end if;
        end if;
        begin
            if not _task.is_plain or _definer then
                return query select _task.task_id, d.decision, d.adapter, d.request, d.body, d.secrets, d.idempotency_key,
                                    d.timeout, null::text, null::text,
                                    case when d.decision = 'send' then internal.handler_destination(d.adapter, d.request) end, _task.attempt,
                                    _task.traceparent
                             from queues.begin_dispatch(_worker_id, _task.task_id, _task.lease_no) as d;
                continue;
            end if;
            if _task.call is not null then
                _void := set_config('reeve.task_id', _task.task_id::text, true);
                _statement := 'select ' || _task.call || '($1)';
                _void := set_config('search_path', _path, true);
                execute _statement into _answer using _task.payload;
                _void := pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
            else
                _answer := jsonb_build_object('status', 'succeeded', 'payload',
                    case when _task.sends_payload then _task.payload else coalesce(_task.payload->'request', '{}') end);
            end if;
            _message := null;
            _state := null;
        exception when assert_failure or others then
            get stacked diagnostics _message = message_text, _state = returned_sqlstate;
        end;
        if _state is not null and (not _task.is_plain or _definer or internal.is_passing(_state)) then
            return query select _task.task_id, null::text, null::text, null::jsonb, null::text, null::jsonb, null::text,
                                null::interval, _message, _state, null::text, null::integer, null::text;
            continue;
        end if;
        _judged := internal.judge_before(_task.handler, _task.adapter, _answer, _message, _state);
        if _judged.is_already_done or _judged.problem is not null then
            begin
                perform queues.finish(_worker_id, _task.task_id, _task.lease_no,
                    case when _judged.is_already_done then 'succeeded' else 'failed' end,
                    case when _judged.is_already_done then '{"already_done": true}'::jsonb end,
                    _judged.problem, case when _judged.problem is not null then _judged.error_class end);
                return query select _task.task_id, 'completed'::text, _task.adapter, null::jsonb, null::text, null::jsonb,
                                    null::text, _task.timeout, null::text, null::text, null::text, null::integer, null::text;
            exception when assert_failure or others then
                get stacked diagnostics _message = message_text, _state = returned_sqlstate;
                return query select _task.task_id, null::text, null::text, null::jsonb, null::text, null::jsonb, null::text,
                                    null::interval, _message, _state, null::text, null::integer, null::text;
            end;
            continue;
        end if;
        _ids := _ids || _task.task_id;
        _nos := _nos || _task.lease_no;
        _keys := _keys || (_judged.request->>'idempotency_key');
        _adapters := _adapters || _task.adapter;
        _requests := _requests || _judged.request;
        _timeouts := _timeouts || _task.timeout;
        _destinations := array_append(_destinations, internal.handler_destination(_task.adapter, _judged.request));
        _attempts := _attempts || _task.attempt;
        _traces := array_append(_traces, _task.traceparent);
    end loop;
    perform set_config('reeve.task_id', '', true);
    if cardinality(_ids) > 0 then
        -- failpoint: begin.before_facts
        return query
            select w.task_id, case when k.task_id is null then 'expired' else 'send' end, w.adapter,
                   case when k.task_id is not null then w.request end,
                   case jsonb_typeof(w.request->'body') when 'string' then w.request->>'body' when 'null' then null
                                                        else (w.request->'body')::text end,
                   case when w.request ?| array['secret_headers', 'sign']
                        then internal.request_secrets(_worker_id, w.task_id, w.lease_no, w.request) else '{}' end,
                   k.idempotency_key, w.timeout, null::text, null::text, w.destination, w.attempt,
                   w.traceparent
            from unnest(_ids, _nos, _adapters, _requests, _timeouts, _destinations, _attempts, _traces)
                as w(task_id, lease_no, adapter, request, timeout, destination, attempt, traceparent)
            left join internal.record_dispatches(_worker_id, _ids, _nos, _keys, _destinations) as k on k.task_id = w.task_id;
    end if;
end
$$;
comment on function queues.begin_dispatch_batch(uuid, bigint[], integer[], integer) is 'Prepares several outside effects.';
