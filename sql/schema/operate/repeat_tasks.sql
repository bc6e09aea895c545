-- internal.repeat_tasks(_task_ids, _at, _same_key, _once)
-- Repeats completed tasks, each as a new task that refers to the old one; one row per task, with the new task or the reason of a refusal.
-- Every retry by hand comes through here, of one task or of many, so all keep the same rules.  Tasks of one type and queue that name the same
-- functions are checked once and added by one statement.  A new task gets a new idempotency key, unless _same_key asks otherwise or
-- the old one ended in doubt.  _once: a task that was repeated already is refused.
create or replace function internal.repeat_tasks(_task_ids bigint[], _at timestamptz, _same_key boolean, _once boolean)
    returns table (task_id bigint, new_task_id bigint, code text, message text, hint text)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off set jit = off
as $$
declare
    _here constant record := internal.current_run();
    _group record;
    _rule internal.task_rule;
    _kind text;
    _refused bigint[] := array[]::bigint[];
begin
    -- The question is asked once: a task may complete meanwhile, and a second answer would differ.
    for task_id, code, message, hint in select p.task_id, p.code, p.message, p.hint from internal.repeat_problems(_task_ids, _once) as p loop
        _refused := _refused || repeat_tasks.task_id;
        -- failpoint: repeat.refused
        return next;
    end loop;
    new_task_id := null;
    for _group in
        select array_agg(g.task_id order by g.task_id) as ids, g.task_type, g.queue, g.names
        from (select t.task_id, t.task_type::text as task_type, t.queue,
                     jsonb_strip_nulls(jsonb_build_object('db_function', p.payload->'db_function', 'before_handler', p.payload->'before_handler',
                         'success_handler', p.payload->'success_handler', 'error_handler', p.payload->'error_handler',
                         coalesce(y.variant_key, 'db_function'), p.payload->coalesce(y.variant_key, 'db_function'))) as names
              from internal.last_payloads(array(select u.id from unnest(_task_ids) as u(id) where u.id <> all(_refused))) as p
              cross join lateral (select x.task_id, x.task_type, x.queue from queues.task as x where x.task_id = p.task_id offset 0) as t
              left join queues.registered_task_type as y on y.task_type = t.task_type) as g
        group by g.task_type, g.queue, g.names
    loop
        begin
            _rule := internal.enqueue_rule(_group.task_type, _group.queue);
            _kind := internal.check_names(_group.names);
            perform internal.check_reserved(_group.names);
        exception when insufficient_privilege or invalid_parameter_value or foreign_key_violation or check_violation then
            get stacked diagnostics code = returned_sqlstate, message = message_text, hint = pg_exception_hint;
            return query select u.id, null::bigint, repeat_tasks.code, repeat_tasks.message, nullif(repeat_tasks.hint, '') from unnest(_group.ids) as u(id);
            continue;
        end;
        if _kind = 'supervisor' then
            return query select u.id, internal.repeat_supervisor_run(u.id, _at, _rule), null::text, null::text, null::text from unnest(_group.ids) as u(id);
            continue;
        end if;
        if _here.task_id is not null then
            perform internal.count_enqueued(_here.process_id, null, cardinality(_group.ids));
        end if;
        return query
        with source as materialized (
            select nextval(pg_get_serial_sequence('queues.task', 'task_id')) as id, t.*, p.payload as last_payload, a.max_attempts, a.backoff, k.same_key
            from internal.last_payloads(_group.ids) as p
            cross join lateral (select x.* from queues.task as x where x.task_id = p.task_id offset 0) as t
            cross join lateral (select x.outcome from queues.task_completed as x where x.task_id = p.task_id offset 0) as c
            left join lateral (select x.max_attempts, x.backoff from queues.task_attempt as x where x.task_id = p.task_id offset 0) as a on true
            cross join lateral (select case when coalesce(_same_key, c.outcome = 'in_doubt') then coalesce(
                (select d.idempotency_key from queues.task_dispatched as d where d.task_id = t.task_id order by d.lease_no limit 1),
                t.idempotency_key, nullif(left(t.payload->>'idempotency_key', 256), ''), t.task_uuid::text) end as same_key) as k
            order by t.task_id
        ), attempts as (
            insert into queues.task_attempt (chain_id, attempt, task_id, max_attempts, backoff)
            select s.id, 1, s.id, s.max_attempts, s.backoff from source as s where s.max_attempts is not null
        ), traces as (
            insert into queues.task_trace (task_id, traceparent, follows)
            select s.id, x.traceparent, x.task_id
            from source as s cross join lateral (select y.* from queues.task_trace as y where y.task_id = s.task_id offset 0) as x
        ), waiting as (
            insert into queues.ready (queue_id, priority, available_at, task_id, type_id, max_crashes, process_id, timeout, destination)
            select _rule.queue_id, s.priority, _at, s.id, _rule.type_id, s.max_crashes, _here.process_id, s.timeout,
                   case when _rule.kind = 'call' then internal.call_destination(_rule.adapter, s.last_payload) end
            from source as s
        ), added as (
            insert into queues.task (task_id, task_type, payload, enqueued_at, scheduled_at, queue, priority, task_uuid, max_crashes, timeout,
                on_in_doubt, idempotency_key, origin_task_id, process_id, retry_of)
            overriding system value
            select s.id, s.task_type, s.last_payload, now(), _at, _rule.queue, s.priority, case when _rule.kind = 'call' then gen_random_uuid() end,
                s.max_crashes, s.timeout, s.on_in_doubt, s.same_key, _here.task_id, _here.process_id, s.task_id
            from source as s
        )
        select s.task_id, s.id, null::text, null::text, null::text from source as s;
        perform internal.wake_workers(_rule.queue, _at, _rule.notify);
    end loop;
end
$$;
comment on function internal.repeat_tasks(bigint[], timestamptz, boolean, boolean) is 'Repeats completed tasks, as new tasks.';
