-- queues.schedule(_name, _cron, _task_type, _payload, ...), queues.unschedule(_name)
-- Makes a schedule, or changes the one of that name, and says what changed.  Exactly one of _cron and _every gives the times; one of
-- _task_type, _function, _command and _job names the work.  The role that calls becomes the owner of the schedule.
-- The work is enqueued once on trial and rolled back, so a schedule is refused for the same reasons, and to the same roles, as the
-- enqueue of its work.
create or replace function queues.schedule(_name text, _cron text default null, _task_type text default null, _payload jsonb default '{}',
        _every interval default null, _function text default null, _command text default null, _job jsonb default null,
        _queue text default null, _priority bigint default null, _timeout interval default null, _max_attempts integer default null,
        _backoff jsonb default null, _zone text default null, _starts_at timestamptz default null, _ends_at timestamptz default null,
        _jitter interval default null, _random_jitter interval default null, _except date[] default null,
        _overlap text default 'skip', _catch_up text default 'once', _catch_up_window interval default '1 day',
        _pause_after_failures integer default null, _description text default null) returns jsonb
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _now constant timestamptz := queues.clock();
    _role constant name := internal.acting_role();
    _new queues.schedule;
    _old queues.schedule;
    _due queues.schedule_due;
    _plan internal.plan;
    _extras internal.task_extras;
    _is_new_plan boolean := true;
    _changed jsonb := jsonb_build_object();
    _slot timestamptz;
begin
    perform internal.check_schedule(_name, _overlap, _catch_up, _catch_up_window, _pause_after_failures, _starts_at, _ends_at, _except,
                                    _jitter, _random_jitter);
    perform internal.check_text('description', _description, 1024);
    if num_nonnulls(_cron, _every) <> 1 then
        raise exception using errcode = '22023', message = format('schedule "%s" needs a cron expression or an interval, and not both', _name),
            hint = 'Example: _cron => ''30 2 * * *'', or _every => ''90 seconds''.';
    end if;
    _new.expression := coalesce(btrim(_cron), 'every ' || _every::text);
    _plan := internal.parse_when(_new.expression, _zone);
    _new.schedule_name := _name;
    _new.owner := _role;
    _new.cron := _plan.cron;
    _new.every := _plan.every;
    _new.zone := _plan.zone;
    _new.starts_at := _starts_at;
    _new.ends_at := _ends_at;
    _new.excluded := (select array_agg(distinct d order by d) from unnest(_except) as d);
    _new.anchor := coalesce(_starts_at, date_trunc('second', _now));
    _new.jitter := _jitter;
    _new.random_jitter := _random_jitter;
    _new.overlap := _overlap;
    _new.catch_up := _catch_up;
    _new.catch_up_window := _catch_up_window;
    _new.pause_after_failures := _pause_after_failures;
    _new.description := _description;
    _new := internal.with_work(_new, _task_type, _payload, _function, _command, _job, _queue, _priority, _timeout);
    _extras := internal.checked_extras(null, 'skip', null, _timeout, null, null, _max_attempts, _backoff);
    if _extras.max_attempts is not null and _new.work = 'job' then
        raise exception using errcode = '22023', message = 'a job has no policy of retries',
            hint = 'Set retry_limit of the job.';
    end if;
    _new.max_attempts := _max_attempts;
    _new.backoff := _backoff;
    _new.created_at := _now;
    _new.changed_at := _now;
    _plan := row(_new.cron, _new.every, _new.anchor, _new.zone, _new.starts_at, _new.ends_at, _new.excluded)::internal.plan;
    _slot := internal.next_slot(_plan, _now);
    if _slot is null then
        raise exception using errcode = '22023', message = format('schedule "%s" has no slot between now and its end, or none in 50 years', _name),
            hint = format('select * from queues.next_fires(%L);', _new.expression);
    end if;
    perform internal.check_jitter(_plan, _slot, _jitter, _random_jitter);

    insert into queues.schedule (schedule_name, owner, expression, cron, every, anchor, zone, starts_at, ends_at, excluded, jitter,
        random_jitter, work, target, payload, queue, priority, timeout, max_attempts, backoff, overlap, catch_up, catch_up_window,
        pause_after_failures, description, created_at, changed_at)
    select (_new).schedule_name, (_new).owner, (_new).expression, (_new).cron, (_new).every, (_new).anchor, (_new).zone, (_new).starts_at,
        (_new).ends_at, (_new).excluded, (_new).jitter, (_new).random_jitter, (_new).work, (_new).target, (_new).payload, (_new).queue,
        (_new).priority, (_new).timeout, (_new).max_attempts, (_new).backoff, (_new).overlap, (_new).catch_up, (_new).catch_up_window,
        (_new).pause_after_failures, (_new).description, _now, _now
    where not exists (select 1 from queues.schedule as s where s.schedule_name = _name)
    on conflict (schedule_name) do nothing
    returning schedule_id into _new.schedule_id;
    if _new.schedule_id is not null then
        perform internal.try_work(_new, _slot);
        _due.schedule_id := _new.schedule_id;
        _due.decided_to := _now;
        _due := internal.plan_next(_new, _due, _now);
        insert into queues.schedule_due (schedule_id, fire_at, next_slot, decided_to)
        values (_due.schedule_id, _due.fire_at, _due.next_slot, _due.decided_to);
        perform internal.audit('schedule', _name, jsonb_build_object('created', true, 'expression', _new.expression, 'zone', _new.zone,
            'work', _new.work, 'target', _new.target, 'owner', _role));
    else
        _old := internal.lock_schedule(_name, true);
        _new.schedule_id := _old.schedule_id;
        _new.created_at := _old.created_at;
        -- Only what a caller can give is compared; the payload is not repeated.
        select coalesce(jsonb_object_agg(o.key, case when o.key = 'payload' then to_jsonb(text 'changed') else jsonb_build_array(o.value, n.value) end), '{}')
        into _changed
        from jsonb_each(to_jsonb(_old) - '{cron,every,anchor,created_at,changed_at,paused_at,paused_by,pause_reason}'::text[]) as o
        join jsonb_each(to_jsonb(_new)) as n on n.key = o.key
        where o.value <> n.value;
        perform internal.try_work(_new, _slot);
        select d.* into _due from queues.schedule_due as d where d.schedule_id = _new.schedule_id;
        _is_new_plan := _changed ?| array['expression', 'zone', 'starts_at', 'ends_at', 'excluded', 'jitter', 'random_jitter'];
        if not _is_new_plan then
            _new.anchor := _old.anchor;
        end if;
        _new.paused_at := _old.paused_at;
        if _is_new_plan then
            -- Slots of the old plan that nobody has decided about end with it.
            _due := internal.close_plan(_old, _due, 'changed', _now);
            _due.decided_to := greatest(_due.decided_to, _now);
            _due := internal.plan_next(_new, _due, _now);
        end if;
        if _changed <> '{}' then
            update queues.schedule as s
            set owner = _new.owner, expression = _new.expression, cron = _new.cron, every = _new.every, anchor = _new.anchor,
                zone = _new.zone, starts_at = _new.starts_at, ends_at = _new.ends_at, excluded = _new.excluded, jitter = _new.jitter,
                random_jitter = _new.random_jitter, work = _new.work, target = _new.target, payload = _new.payload, queue = _new.queue,
                priority = _new.priority, timeout = _new.timeout, max_attempts = _new.max_attempts, backoff = _new.backoff,
                overlap = _new.overlap, catch_up = _new.catch_up, catch_up_window = _new.catch_up_window,
                pause_after_failures = _new.pause_after_failures, description = _new.description, changed_at = _now
            where s.schedule_id = _new.schedule_id;
            -- A changed schedule is not held back by earlier refusals.
            update queues.schedule_due as d
            set fire_at = case when d.refusals > 0 and _new.paused_at is null then least(_due.fire_at, _now) else _due.fire_at end,
                next_slot = _due.next_slot, decided_to = _due.decided_to, refusals = 0,
                skip_reason = _due.skip_reason, skip_first = _due.skip_first, skip_last = _due.skip_last, skip_slots = _due.skip_slots,
                skip_detail = _due.skip_detail
            where d.schedule_id = _new.schedule_id;
            perform internal.audit('schedule', _name, jsonb_build_object('changed', _changed));
        end if;
    end if;
    perform pg_notify('worker_control', 'schedule');
    return jsonb_build_object('schedule_id', _new.schedule_id, 'created', _old.schedule_id is null, 'changed', _changed,
        'words', internal.cron_words(_new.cron, _new.every, _new.zone), 'next_fire', _due.next_slot);
end
$$;
comment on function queues.schedule(text, text, text, jsonb, interval, text, text, jsonb, text, bigint, interval, integer, jsonb, text,
    timestamptz, timestamptz, interval, interval, date[], text, text, interval, integer, text) is
    'Makes or changes a schedule, and says what changed.';

create or replace function queues.unschedule(_name text) returns void
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _now constant timestamptz := queues.clock();
    _schedule queues.schedule := internal.lock_schedule(_name, true);
    _due queues.schedule_due;
begin
    select d.* into _due from queues.schedule_due as d where d.schedule_id = _schedule.schedule_id;
    perform internal.close_plan(_schedule, _due, 'removed', _now);
    delete from queues.schedule_due as d where d.schedule_id = _schedule.schedule_id;
    delete from queues.schedule as s where s.schedule_id = _schedule.schedule_id;
    perform internal.audit('unschedule', _name, jsonb_build_object('expression', _schedule.expression, 'work', _schedule.work,
                                                                   'target', _schedule.target, 'owner', _schedule.owner));
end
$$;
comment on function queues.unschedule(text) is 'Removes a schedule. Its facts stay, and work that was fired goes on.';
