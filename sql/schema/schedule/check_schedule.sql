-- internal.check_schedule(...), internal.check_jitter(...), internal.with_work(...), internal.try_work(...), internal.lock_schedule(...),
-- internal.close_plan(...)
-- Steps of queues.schedule and its relatives: checks of the values, the work, a trial of the work, the lock of a schedule that
-- exists, and the end of a plan.
create or replace function internal.check_schedule(_name text, _overlap text, _catch_up text, _window interval, _failures integer,
        _starts_at timestamptz, _ends_at timestamptz, _except date[], _jitter interval, _random_jitter interval) returns void
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _name is null or _name !~ '^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,127}$' then
        raise exception using errcode = '22023',
            message = format('schedule name "%s" is not of the form letters, figures and _.:/-, at most 128', coalesce(left(_name, 128), 'null')),
            hint = 'Example: nightly-report.';
    elsif _overlap is null or _overlap not in ('skip', 'queue_one', 'cancel_running', 'allow') then
        raise exception using errcode = '22023',
            message = format('overlap "%s" is not one of skip, queue_one, cancel_running, allow', coalesce(left(_overlap, 64), 'null'));
    elsif _catch_up is null or _catch_up not in ('skip', 'once', 'all') then
        raise exception using errcode = '22023',
            message = format('catch-up "%s" is not one of skip, once, all', coalesce(left(_catch_up, 64), 'null'));
    elsif _window is null or _window <= interval '0' or _window > interval '366 days' then
        raise exception using errcode = '22023',
            message = format('catch-up window "%s" is not between 0 and 366 days', coalesce(_window::text, 'null'));
    elsif _failures not between 1 and 1000 then
        raise exception using errcode = '22023', message = format('pause_after_failures %s is not between 1 and 1000', _failures);
    elsif not isfinite(_starts_at) or not isfinite(_ends_at) then
        raise exception using errcode = '22008', message = 'start and end of a schedule must be finite times', hint = 'Leave them out for no limit.';
    elsif _ends_at < _starts_at then
        raise exception using errcode = '22023', message = format('the end %s is before the start %s', _ends_at, _starts_at);
    elsif cardinality(_except) > 1000 or array_position(_except, null) is not null then
        raise exception using errcode = '22023', message = 'the dates without a slot are more than 1000, or one of them is null';
    elsif exists (select 1 from unnest(_except) as d where not isfinite(d)) then
        raise exception using errcode = '22008', message = 'a date without a slot must be finite';
    elsif _jitter <= interval '0' or _random_jitter <= interval '0' then
        raise exception using errcode = '22023', message = format('jitter "%s" is not positive', least(_jitter, _random_jitter));
    end if;
end
$$;
comment on function internal.check_schedule(text, text, text, interval, integer, timestamptz, timestamptz, date[], interval, interval) is
    'Refuses values that a schedule cannot have.';

create or replace function internal.check_jitter(_plan internal.plan, _slot timestamptz, _jitter interval, _random_jitter interval)
    returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _all constant interval := coalesce(_jitter, interval '0') + coalesce(_random_jitter, interval '0');
    _next timestamptz;
begin
    if _jitter is null and _random_jitter is null then
        return;
    end if;
    for _i in 1 .. 10 loop
        _next := internal.next_slot(_plan, _slot);
        if _next < _slot + _all then
            raise exception using errcode = '22023',
                message = format('jitter of "%s" is longer than the time between two slots, %s', _all, _next - _slot),
                hint = 'Give less jitter, so that a slot is fired before the next one is due.';
        end if;
        _slot := _next;
    end loop;
end
$$;
comment on function internal.check_jitter(internal.plan, timestamptz, interval, interval) is 'Refuses a jitter that reaches into the next slot.';

create or replace function internal.with_work(_new queues.schedule, _task_type text, _payload jsonb, _function text, _command text, _job jsonb,
        _queue text, _priority bigint, _timeout interval) returns queues.schedule
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
declare
    _key text;
begin
    perform internal.check_text('task type', _task_type, 63);
    perform internal.check_text('function', _function, 256);
    perform internal.check_text('command', _command, 256);
    perform internal.check_text('queue', _queue, 63);
    if num_nonnulls(_task_type, _function, _command, _job) <> 1 then
        raise exception using errcode = '22023', message = format('schedule "%s" needs one kind of work', _new.schedule_name),
            hint = 'Give one of _task_type, _function, _command and _job.';
    end if;
    _new.payload := coalesce(_payload, '{}');
    if jsonb_typeof(_new.payload) <> 'object' or _job is not null and jsonb_typeof(_job) <> 'object' then
        raise exception using errcode = '22023', message = 'payload must be a JSON object';
    end if;
    select k into _key from unnest(array['schedule_name', 'scheduled_for', 'is_late', 'is_backfill']) as k where _new.payload ? k;
    if _key is not null then
        raise exception using errcode = '22023', message = format('payload key "%s" is filled in at each fire', _key), hint = 'Leave it out.';
    end if;
    _new.work := case when _command is not null then 'command' when _job is not null then 'job' else 'task' end;
    _new.target := coalesce(_command, _task_type, case when _function is not null then 'db_function' end);
    _new.queue := _queue;
    _new.priority := _priority;
    _new.timeout := _timeout;
    if _function is not null then
        _new.payload := _new.payload || jsonb_build_object('db_function', _function);
    end if;
    if _queue is not null and _new.work <> 'task' or _timeout is not null and _new.work = 'command' then
        raise exception using errcode = '22023', message = format('a %s has the queue and the timeout of its own kind', _new.work),
            hint = 'The registry of commands has both; a job has its timeout.';
    end if;
    if _job is not null then
        select k into _key from jsonb_object_keys(_job) as k
        where k not in ('url', 'job_type', 'payload', 'headers', 'job_owner', 'signing_vault', 'signing_header', 'signing_style', 'signing_alg',
                        'signing_enc', 'retry_limit', 'retry_5xx') limit 1;
        if _key is not null then
            raise exception using errcode = '22023', message = format('a scheduled job cannot have "%s"', left(_key, 64)),
                hint = 'It can have url, job_type, payload, headers, job_owner, signing_vault and the other signing columns without a value of a secret, retry_limit and retry_5xx.';
        elsif _payload <> '{}' then
            raise exception using errcode = '22023', message = 'the payload of a job belongs into _job';
        end if;
        _new.payload := _job;
    end if;
    return _new;
end
$$;
comment on function internal.with_work(queues.schedule, text, jsonb, text, text, jsonb, text, bigint, interval) is 'The work of a schedule, checked.';

-- The trial raises at its end, so that nothing of it is left; SQLSTATE QU010 says that all went well.
create or replace function internal.try_work(_schedule queues.schedule, _slot timestamptz) returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    perform internal.start_as_owner(_schedule, _slot, false, false, queues.clock());
    raise exception using errcode = 'QU010', message = 'the trial ends here';
exception when sqlstate 'QU010' then
    null;
end
$$;
comment on function internal.try_work(queues.schedule, timestamptz) is 'Enqueues the work of a schedule on trial, and takes it back.';

-- _is_change: only the owner and administrators; otherwise operators, too.
create or replace function internal.lock_schedule(_name text, _is_change boolean) returns queues.schedule
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _role constant name := internal.acting_role();
    _schedule queues.schedule;
begin
    perform internal.check_text('schedule name', _name, 1024);
    -- The working row is locked first, as by queues.fire_due.
    perform 1 from queues.schedule_due as d
    where d.schedule_id = (select s.schedule_id from queues.schedule as s where s.schedule_name = _name) for update;
    select s.* into _schedule from queues.schedule as s where s.schedule_name = _name;
    if not found then
        raise exception using errcode = 'P0002', message = format('schedule "%s" does not exist', coalesce(left(_name, 128), 'null')),
            hint = 'select schedule_name from queues.schedule_state;';
    end if;
    if not pg_has_role(_role, case when _is_change then 'queues_admin' else 'queues_operator' end, 'member')
       and not exists (select 1 from pg_roles as r where r.rolname = _schedule.owner and pg_has_role(_role, r.oid, 'member')) then
        raise exception using errcode = '42501',
            message = format('role "%s" may not %s schedule "%s"', _role, case when _is_change then 'change' else 'operate' end, _name),
            hint = format('It belongs to %s.', _schedule.owner);
    end if;
    return _schedule;
end
$$;
comment on function internal.lock_schedule(text, boolean) is 'Locks a schedule for a role that may change or operate it.';

create or replace function internal.close_plan(_schedule queues.schedule, _due queues.schedule_due, _reason text, _now timestamptz)
    returns queues.schedule_due
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _plan constant internal.plan := row(_schedule.cron, _schedule.every, _schedule.anchor, _schedule.zone, _schedule.starts_at,
                                        _schedule.ends_at, _schedule.excluded)::internal.plan;
    _first timestamptz;
    _last timestamptz;
begin
    if _due.waiting_slot is not null and _reason = 'removed' then
        _due := internal.skip_slots(_schedule, _due, _due.waiting_slot, _due.waiting_slot, 1, _reason, null, _now);
    end if;
    _first := internal.next_slot(_plan, _due.decided_to);
    if _first <= _now then
        _last := internal.last_slot(_plan, _due.decided_to, _now);
        _due := internal.skip_slots(_schedule, _due, _first, _last, internal.count_slots(_plan, _due.decided_to, _last), _reason, null, _now);
        _due.decided_to := _last;
    end if;
    return internal.record_skips(_schedule, _due, _now);
end
$$;
comment on function internal.close_plan(queues.schedule, queues.schedule_due, text, timestamptz) is 'Ends the plan of a schedule: slots that are due are not fired.';
