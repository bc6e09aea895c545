-- internal.check_owner(_owner), internal.start_work(_schedule, _slot, _is_late, _is_backfill, _at), internal.start_as_owner(...)
-- Enqueues the work of one slot, as any enqueue: the same functions, with the same checks, for the role that acts.  It returns the
-- task, for a job its first run.
-- The work is told its slot: the payload has schedule_name, scheduled_for, is_late and is_backfill.  An HTTP job has them as headers.
create or replace function internal.check_owner(_owner name) returns void
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if not exists (select 1 from pg_roles as r where r.rolname = _owner and pg_has_role(r.oid, 'queues_enqueuer', 'member')) then
        raise exception using errcode = '42501', message = format('role "%s", the owner of the schedule, may not enqueue', _owner),
            hint = 'Grant queues_enqueuer to it, or let another role schedule the work.';
    end if;
end
$$;
comment on function internal.check_owner(name) is 'Refuses an owner who may not enqueue.';

create or replace function internal.start_work(_schedule queues.schedule, _slot timestamptz, _is_late boolean, _is_backfill boolean,
        _at timestamptz) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _for constant text := to_char(_slot at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
        || case when date_trunc('second', _slot) <> _slot then to_char(_slot at time zone 'UTC', '.US') else '' end || 'Z';
    _told constant jsonb := jsonb_build_object('schedule_name', _schedule.schedule_name, 'scheduled_for', _for, 'is_late', _is_late,
                                               'is_backfill', _is_backfill);
    _job jsonb;
    _id bigint;
begin
    if _schedule.work = 'task' then
        return queues.enqueue(_schedule.target, _schedule.payload || _told, _at, _schedule.queue, _schedule.priority,
            _timeout => _schedule.timeout, _max_attempts => _schedule.max_attempts, _backoff => _schedule.backoff);
    elsif _schedule.work = 'command' then
        return worker.enqueue(_schedule.target, _schedule.payload || _told, _at, _schedule.priority, _schedule.max_attempts, _schedule.backoff);
    end if;
    _job := _schedule.payload || jsonb_build_object('run_at', _at, 'priority', _schedule.priority, 'timeout', _schedule.timeout);
    if _job->>'job_type' = 'FUNC' then
        _job := _job || jsonb_build_object('payload', coalesce(nullif(_job->'payload', 'null'), '{}') || _told);
    else
        _job := _job || jsonb_build_object('headers', coalesce(nullif(_job->'headers', 'null'), '{}') || jsonb_build_object(
            'Schedule-Name', _schedule.schedule_name, 'Scheduled-For', _for, 'Schedule-Late', _is_late, 'Schedule-Backfill', _is_backfill));
    end if;
    insert into pgqueue.job_queue (run_at, job_type, url, payload, headers, job_owner, signing_vault, signing_header, signing_style,
        signing_alg, signing_enc, retry_limit, retry_5xx, timeout, priority)
    select j.run_at, j.job_type, j.url, j.payload, j.headers, j.job_owner, j.signing_vault, j.signing_header, j.signing_style,
        j.signing_alg, j.signing_enc, j.retry_limit, j.retry_5xx, j.timeout, j.priority
    from jsonb_populate_record(null::pgqueue.job_queue, _job) as j
    returning task_id into _id;
    return _id;
end
$$;
comment on function internal.start_work(queues.schedule, timestamptz, boolean, boolean, timestamptz) is 'Enqueues the work of one slot.';

create or replace function internal.start_as_owner(_schedule queues.schedule, _slot timestamptz, _is_late boolean, _is_backfill boolean,
        _at timestamptz) returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _id bigint;
begin
    perform internal.check_owner(_schedule.owner);
    perform internal.act_as(_schedule.owner);
    _id := internal.start_work(_schedule, _slot, _is_late, _is_backfill, _at);
    perform internal.act_as(null);
    return _id;
end
$$;
comment on function internal.start_as_owner(queues.schedule, timestamptz, boolean, boolean, timestamptz) is
    'Enqueues the work of one slot with the rights of the owner, as they are now.';
