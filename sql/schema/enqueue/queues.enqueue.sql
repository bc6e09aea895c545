-- queues.enqueue(_task_type, _payload, _scheduled_at, ...)
-- Inserts a task and its ready row in the caller's transaction, and returns the id of the task that will do the work.  With a
-- dedup key this may be a task that waits already.
-- It reads the rules once and makes two inserts.  Every inner call or further table would cost as much as an insert, so the
-- common cases are written out here: no extras, and either no named function, or one plain task function or supervisor.
-- internal.check_names looks up handlers; internal.add_task handles extras.
-- Reads   queues.registered_task_type, queues.queue, internal.allowed_function, internal.config
-- Writes  queues.task, queues.ready; for a supervisor queues.process; for a traced task queues.task_trace
create or replace function queues.enqueue(
        _task_type queues.task_type, _payload jsonb, _scheduled_at timestamptz default now(),
        _queue text default null, _priority bigint default null,
        _dedup_key text default null, _dedup_policy text default 'skip',
        _max_crashes integer default null, _timeout interval default null,
        _on_in_doubt text default null, _idempotency_key text default null,
        _max_attempts integer default null, _backoff jsonb default null) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _at constant timestamptz := coalesce(_scheduled_at, now());
    _body constant jsonb := coalesce(_payload, '{}');
    _has_extras constant boolean := _max_crashes is not null or _timeout is not null or _on_in_doubt is not null
        or _idempotency_key is not null or _dedup_key is not null or _dedup_policy is distinct from 'skip'
        or _max_attempts is not null or _backoff is not null;
    _origin bigint;
    _within bigint; -- the process of the run that enqueues
    _is_traced boolean; -- the run that enqueues has a trace
    _adapter text;
    _is_call boolean;
    _is_reserved boolean;
    _type_id smallint;
    _in_queue text;
    _queue_id integer;
    _is_plain boolean := true;
    _kind text;
    _keys text[];
    _name text;
    _ids jsonb;
    _process bigint;
    _rule internal.task_rule;
    _extras internal.task_extras;
    _id bigint;
begin
    if current_setting('reeve.task_id', true) <> '' then
        select r.task_id, r.process_id, r.is_traced into _origin, _within, _is_traced from internal.current_run() as r;
    end if;
    if _body ?| array['db_function', 'before_handler', 'success_handler', 'error_handler'] then
        select t.adapter, t.kind = 'call', t.is_reserved, t.type_id, q.queue, q.queue_id, nullif(f.kind, 'task'), f.process_keys,
               f.kind in ('task', 'supervisor') and f.enqueuers is null
               and not _body ?| array['before_handler', 'success_handler', 'error_handler']
        into _adapter, _is_call, _is_reserved, _type_id, _in_queue, _queue_id, _kind, _keys, _is_plain
        from queues.registered_task_type as t
        join queues.queue as q on q.queue = coalesce(_queue, t.default_queue)
        left join internal.allowed_function as f on f.function_name = _body->>'db_function' and f.enabled
        where t.task_type = _task_type;
    else
        select t.adapter, t.kind = 'call', t.is_reserved, t.type_id, q.queue, q.queue_id
        into _adapter, _is_call, _is_reserved, _type_id, _in_queue, _queue_id
        from queues.registered_task_type as t
        join queues.queue as q on q.queue = coalesce(_queue, t.default_queue)
        where t.task_type = _task_type;
    end if;
    if not found then
        perform internal.enqueue_rule(_task_type, _queue); -- raises the error
    end if;
    -- One condition for all that is rare.  A small object is neither too large nor too deep: a level of nesting takes at least eight bytes,
    -- and the limit of the size is no smaller than this.
    if _is_reserved or not isfinite(_at) or jsonb_typeof(_body) <> 'object' or pg_column_size(_body) > 500 or octet_length(_body::text) > 1024 then
        if _is_reserved then
            raise exception using errcode = '22023',
                message = format('task type "%s" cannot be enqueued directly', _task_type),
                hint = 'Use worker.enqueue for commands, and pgqueue.job_queue for jobs.';
        elsif not isfinite(_at) then
            raise exception using errcode = '22008', message = 'scheduled_at must be a finite time';
        end if;
        perform internal.check_payload(_body, internal.number_setting('max_payload_bytes')::integer);
    end if;
    -- A smaller payload cannot hold too many headers.
    if _is_call and ((_body->'request') ?| array['secret_headers', 'sign', 'base'] or pg_column_size(_body) > 400) then
        perform internal.check_request(_adapter, _body);
    end if;
    if _is_plain is not true then
        _kind := internal.check_names(_body);
    end if;

    if not _has_extras then
        if _kind is not null or _origin is not null then
            _process := _within;
            if _kind = 'supervisor' then
                if cardinality(_keys) = 1 and _body ? _keys[1] then
                    _name := _body->>'db_function';
                    _ids := jsonb_build_object(_keys[1], _body->_keys[1]);
                    select p.process_id into _process from queues.process as p where p.supervisor = _name and p.ids = _ids;
                    if _process is null then
                        _process := internal.new_process(_name, _ids);
                    end if;
                else
                    _process := internal.process_of(_body->>'db_function', _body);
                end if;
            end if;
            -- The next run of the process itself is not counted.
            if _origin is not null and (_kind is null or _process is distinct from _within) then
                perform internal.count_enqueued(_process, _kind is not null);
            end if;
        end if;
        insert into queues.task (task_type, payload, enqueued_at, scheduled_at, queue, priority, task_uuid, origin_task_id,
            process_id, is_supervisor_run)
        values (_task_type, _body, now(), _at, _in_queue, coalesce(_priority, 0),
                case when _is_call then gen_random_uuid() end, _origin, _process,
                case when _kind = 'supervisor' then true end)
        returning task_id into _id;
        -- failpoint: enqueue.between
        insert into queues.ready (queue_id, priority, available_at, task_id, type_id, is_supervisor_run, process_id, destination)
        values (_queue_id, coalesce(_priority, 0), _at, _id, _type_id, case when _kind = 'supervisor' then true end,
                _process, case when _is_call then internal.call_destination(_adapter, _body) end);
        if _is_traced or _body ? 'traceparent' or current_setting('reeve.traceparent', true) <> '' then
            perform internal.keep_trace(_id, _body, _origin);
        end if;
    else
        _rule := internal.enqueue_rule(_task_type, _queue);
        _extras := internal.checked_extras(_dedup_key, _dedup_policy, _max_crashes, _timeout, _on_in_doubt, _idempotency_key,
                                            _max_attempts, _backoff);
        if _kind = 'supervisor' and _extras.max_attempts is not null then
            perform internal.refuse_policy();
        end if;
        if _dedup_key is null then
            _id := internal.add_task(_rule, _task_type, _body, _at, _priority, _kind, _extras);
        else
            _id := internal.add_or_absorb(_rule, _task_type, _body, _at, _priority, _kind, _extras, _dedup_policy);
        end if;
    end if;
    -- As internal.wake_workers: only if a worker sleeps.
    if _at <= clock_timestamp() + interval '1 second' and not pg_try_advisory_xact_lock_shared(20545, 2) then
        perform pg_notify('worker_tasks', _in_queue) from internal.config as c where c.key = 'notify' and c.value <> '"off"';
    end if;
    return _id;
end
$$;
comment on function queues.enqueue(queues.task_type, jsonb, timestamptz, text, bigint, text, text, integer, interval, text, text, integer, jsonb) is
    'Adds a task in the caller''s transaction; returns the id of the task that will do the work.';
