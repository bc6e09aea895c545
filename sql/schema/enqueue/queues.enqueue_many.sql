-- queues.enqueue_many(_task_type, _payloads, _scheduled_at, _queue, _priority, _max_attempts, _backoff)
-- Adds thousands of tasks of one type in one statement, all or nothing, and returns their ids in the order given.  There is no
-- dedup.
create or replace function queues.enqueue_many(
        _task_type queues.task_type, _payloads jsonb[], _scheduled_at timestamptz default now(),
        _queue text default null, _priority bigint default null,
        _max_attempts integer default null, _backoff jsonb default null) returns setof bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _at constant timestamptz := coalesce(_scheduled_at, now());
    _here constant record := internal.current_run();
    _extras constant internal.task_extras := internal.checked_extras(null, 'skip', null, null, null, null, _max_attempts, _backoff);
    _is_traced constant boolean := _here.is_traced or current_setting('reeve.traceparent', true) <> '';
    _rule internal.task_rule;
    _payload jsonb;
    _kinds text[];
begin
    if _payloads is null then
        raise exception using errcode = '22004', message = 'payloads must not be null';
    end if;
    _payloads := array_replace(_payloads, null, '{}'); -- as in queues.enqueue
    _rule := internal.enqueue_rule(_task_type, _queue);
    if _rule.is_indirect then
        raise exception using errcode = '22023',
            message = format('task type "%s" cannot be enqueued directly', _task_type),
            hint = 'Use worker.enqueue for commands, and pgqueue.job_queue for jobs.';
    end if;
    if not isfinite(_at) then
        raise exception using errcode = '22008', message = 'scheduled_at must be a finite time';
    end if;
    -- Find the first payload that would be refused, and let the single check raise the error.
    select p into _payload from unnest(_payloads) as p
    where jsonb_typeof(p) is distinct from 'object'
       or octet_length(p::text) > _rule.max_payload_bytes
       or (pg_column_size(p) > 500 and jsonb_path_exists(p, 'strict $.**{64}'))
       or (p ?| array['db_function', 'before_handler', 'success_handler', 'error_handler']
           and 'null' in (p->'db_function', p->'before_handler', p->'success_handler', p->'error_handler'))
    limit 1;
    if found then
        perform internal.check_payload(coalesce(_payload, 'null'), _rule.max_payload_bytes);
        perform internal.check_names(_payload);
    end if;
    if _rule.kind = 'call' then
        perform internal.check_request(_rule.adapter, p) from unnest(_payloads) as p
        where (p->'request') ?| array['secret_headers', 'sign', 'base'] or pg_column_size(p) > 400;
    end if;
    -- Each distinct set of names is checked once.
    select array_agg(distinct internal.check_names(jsonb_strip_nulls(jsonb_build_object(
                'db_function', d.run, 'before_handler', d.before, 'success_handler', d.success, 'error_handler', d.error)))) into _kinds
    from (select distinct p->'db_function' as run, p->'before_handler' as before, p->'success_handler' as success, p->'error_handler' as error
          from unnest(_payloads) as p
          where p ?| array['db_function', 'before_handler', 'success_handler', 'error_handler']) as d;
    if 'supervisor' = any(_kinds) then
        if _extras.max_attempts is not null then
            perform internal.refuse_policy();
        end if;
        -- Runs of processes are found or made one by one.
        return query
            select queues.enqueue(_task_type, p.payload, _at, _queue, _priority)
            from unnest(_payloads) with ordinality as p(payload, n)
            order by p.n;
        return;
    end if;

    if _here.task_id is not null then
        perform internal.count_enqueued(null, false, cardinality(_payloads));
    end if;
    return query
        with added as (
            insert into queues.task (task_type, payload, enqueued_at, scheduled_at, queue, priority, task_uuid,
                origin_task_id, process_id)
            select _task_type, p.payload, now(), _at, _rule.queue, coalesce(_priority, 0),
                case when _rule.kind = 'call' then gen_random_uuid() end, _here.task_id, _here.process_id
            from unnest(_payloads) with ordinality as p(payload, n)
            order by p.n
            returning task.task_id, task.payload
        ), waiting as (
            insert into queues.ready (queue_id, priority, available_at, task_id, type_id, process_id, destination)
            select _rule.queue_id, coalesce(_priority, 0), _at, a.task_id, _rule.type_id, _here.process_id,
                case when _rule.kind = 'call' then internal.call_destination(_rule.adapter, a.payload) end
            from added as a
        ), policies as (
            insert into queues.task_attempt (chain_id, attempt, task_id, max_attempts, backoff)
            select a.task_id, 1, a.task_id, _extras.max_attempts, _extras.backoff
            from added as a where _extras.max_attempts is not null
        ), traces as (
            insert into queues.task_trace (task_id, traceparent, follows)
            select a.task_id, t.traceparent, t.follows
            from added as a cross join lateral internal.trace_for(a.payload, _here.task_id) as t
            where (_is_traced or a.payload ? 'traceparent') and t.traceparent is not null
        )
        select a.task_id from added as a order by a.task_id;
    if cardinality(_payloads) > 0 then
        perform internal.wake_workers(_rule.queue, _at, _rule.notify);
    end if;
end
$$;
comment on function queues.enqueue_many(queues.task_type, jsonb[], timestamptz, text, bigint, integer, jsonb) is
    'Adds many tasks of one type at once; returns their ids in the order given.';
