-- internal.enqueue_command(_command, _payload, _scheduled_at, _priority, _parent_id, _child_mode, _max_attempts, _backoff)
-- The function behind worker.enqueue, worker.spawn and an insert into worker.tasks.  Every inner call would cost as much as an
-- insert, so the common cases are written out here: a plain task, a child of the running task, and a merge into a waiting task.
-- Reads   worker.command_registry, queues.queue, queues.registered_task_type, internal.config
-- Writes  queues.task and queues.ready, or queues.merging; worker.task_parent; for a traced task queues.task_trace
create or replace function internal.enqueue_command(_command text, _payload jsonb, _scheduled_at timestamptz, _priority bigint,
        _parent_id bigint, _child_mode worker.child_mode, _max_attempts integer, _backoff jsonb) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    -- A plan made while the queue was empty must not scan it when it is long.
    set enable_seqscan = off
as $$
declare
    _at constant timestamptz := coalesce(_scheduled_at, now());
    _rank constant bigint := coalesce(_priority, 0);
    _origin bigint;
    _process bigint;
    _is_traced boolean; -- the run that enqueues has a trace
    _body jsonb := coalesce(_payload, '{}');
    _key text;
    _rule record;
    _waiting record;
    _depth integer;
    _is_serial boolean := false;
    _is_own boolean := true;
    _is_common boolean := true; -- only the two inserts are needed
    _attempts smallint;
    _waits jsonb;
    _id bigint;
begin
    if current_setting('reeve.task_id', true) <> '' then
        select r.task_id, r.process_id, r.is_traced into _origin, _process, _is_traced from internal.current_run() as r;
    end if;
    select c.queue, c.dedup_keys, c.dedup_policy, c.merge_rules, c.merge_call, c.max_crashes, c.enqueuers, q.queue_id, t.type_id,
           (select x.value = 'true' from internal.config as x where x.key = 'notify_task_changes') as notify_changes
    into _rule
    from worker.command_registry as c
    join queues.queue as q on q.queue = c.queue
    join queues.registered_task_type as t on t.task_type = 'command'
    where c.command = _command;
    if not found then
        perform internal.refuse_command(_command);
    end if;
    if _rule.enqueuers is not null then
        perform internal.check_enqueuer(_command, _rule.enqueuers);
    end if;
    if not isfinite(_at) then
        raise exception using errcode = '22008', message = 'scheduled_at must be a finite time';
    end if;
    if jsonb_typeof(_body) <> 'object' or pg_column_size(_body) > 500 or octet_length(_body::text) > 1024 then
        perform internal.check_payload(_body, internal.number_setting('max_payload_bytes')::integer); -- as queues.enqueue
    end if;
    if _body ? 'command' and _body->'command' <> to_jsonb(_command) then
        raise exception using errcode = '23514',
            message = format('payload names command "%s", not "%s"', left(_body->>'command', 128), _command);
    end if;
    _body := _body || jsonb_build_object('command', _command);
    if _max_attempts is not null or _backoff is not null then
        select e.max_attempts, e.backoff into _attempts, _waits
        from internal.checked_extras(null, 'skip', null, null, null, null, _max_attempts, _backoff) as e;
        _is_common := false;
    end if;
    if _parent_id is null and _child_mode is not null then
        raise exception using errcode = '22023', message = 'child mode without a parent',
            hint = 'Give the parent: p_parent_id => worker.current_task_id().';
    end if;

    if _parent_id is null and _rule.dedup_keys is not null then
        _key := case when _rule.dedup_keys = '{}' then _command else internal.command_key(_command, _rule.dedup_keys, _body) end;
        if _rule.merge_rules is not null and _rule.merge_call is null then
            perform internal.check_merge(_rule.merge_rules, _body);
        end if;
        if _rule.dedup_policy in ('merge', 'skip') and _rule.merge_call is null then
            select r.task_id, r.available_at, r.priority into _waiting from queues.ready as r
            where r.queue_id = _rule.queue_id and r.dedup_key = _key and r.lease_no = 0 and r.type_id = _rule.type_id;
            if found then
                insert into queues.merging (task_id, payload, available_at, priority, is_urgent, merged_at, merged_by)
                values (_waiting.task_id, _body, _at, _rank,
                    case when _at < _waiting.available_at or _rank < _waiting.priority then true end, clock_timestamp(), internal.actor())
                returning task_id into _id;
            end if;
        end if;
        if _id is null then
            _id := internal.merge_command(row(_rule.queue, _rule.queue_id, _rule.type_id, _body, _at, _rank, _rule.max_crashes,
                                              _key, null, null, false, _rule.merge_call, _attempts, _waits)::internal.command_task, _rule.dedup_policy);
        end if;
    else
        if _parent_id is not null then
            if _origin = _parent_id then
                -- A further child of the task that runs in this transaction: nobody else can end that task.
                select coalesce(t.depth, 0) + 1 into _depth from worker.task_parent as p join queues.task as t on t.task_id = p.task_id
                where p.task_id = _parent_id and p.child_mode = 'concurrent' and _child_mode is distinct from 'serial';
            end if;
            if _depth is null then
                _is_common := false;
                select * into _depth, _is_serial, _is_own from internal.adopt_child(_parent_id, _child_mode);
            end if;
        end if;
        if not _is_common or _process is not null then
            _id := internal.insert_command(row(_rule.queue, _rule.queue_id, _rule.type_id, _body, _at, _rank, _rule.max_crashes, null,
                                               _parent_id, _depth, _is_serial, null, _attempts, _waits)::internal.command_task);
            if _is_serial and not _is_own then
                perform internal.unblock_next(_parent_id);
            end if;
        else
            insert into queues.task (task_type, payload, enqueued_at, scheduled_at, queue, priority, max_crashes,
                origin_task_id, parent_id, depth)
            values ('command', _body, now(), _at, _rule.queue, _rank, _rule.max_crashes, _origin, _parent_id, _depth)
            returning task_id into _id;
            -- failpoint: enqueue.between
            insert into queues.ready (queue_id, priority, available_at, task_id, type_id, max_crashes, parent_id)
            values (_rule.queue_id, _rank, _at, _id, _rule.type_id, _rule.max_crashes, _parent_id);
            if _is_traced or _body ? 'traceparent' or current_setting('reeve.traceparent', true) <> '' then
                perform internal.keep_trace(_id, _body, _origin);
            end if;
        end if;
    end if;
    if _rule.notify_changes then
        perform internal.notify_changed(array[_id]);
    end if;
    -- As internal.wake_workers: only if a worker sleeps.
    if _at <= clock_timestamp() + interval '1 second' and not pg_try_advisory_xact_lock_shared(20545, 2) then
        perform pg_notify('worker_tasks', _rule.queue) from internal.config as c where c.key = 'notify' and c.value <> '"off"';
    end if;
    return _id;
end
$$;
comment on function internal.enqueue_command(text, jsonb, timestamptz, bigint, bigint, worker.child_mode, integer, jsonb) is
    'Adds a task of a command, or merges it into the waiting one.';
