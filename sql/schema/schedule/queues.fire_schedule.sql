-- queues.fire_schedule(_name), queues.backfill_schedule(_name, _from, _to)
-- Work besides the plan: now, whatever the plan, a pause and open work say; or once for each slot of a time in the past that was not
-- fired.  Both use the rights of the owner, and return the task, or the number of slots.
create or replace function queues.fire_schedule(_name text) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _schedule queues.schedule := internal.lock_schedule(_name, false);
    _now constant timestamptz := queues.clock();
    _slot timestamptz := _now;
    _id bigint;
begin
    -- Slots of the plan are whole seconds, or begin at one.
    if date_trunc('second', _slot) = _slot then
        _slot := _slot + interval '1 microsecond';
    end if;
    while exists (select 1 from queues.schedule_fire as f
                  where f.schedule_id = _schedule.schedule_id and f.first_slot = _slot and f.task_id is not null) loop
        _slot := _slot + interval '1 microsecond';
    end loop;
    _id := internal.start_as_owner(_schedule, _slot, false, false, _now);
    perform internal.end_acting();
    insert into queues.schedule_fire (schedule_id, schedule_name, decision, first_slot, last_slot, decided_at, task_id, late)
    values (_schedule.schedule_id, _schedule.schedule_name, 'by_hand', _slot, _slot, _now, _id, interval '0');
    update queues.schedule_due as d set open_tasks = (_id || d.open_tasks)[:100]
    where d.schedule_id = _schedule.schedule_id and (_schedule.overlap <> 'allow' or _schedule.pause_after_failures is not null);
    perform internal.audit('fire_schedule', _name, jsonb_build_object('task_id', _id));
    return _id;
end
$$;
comment on function queues.fire_schedule(text) is 'Fires a schedule now, besides its plan.';

create or replace function queues.backfill_schedule(_name text, _from timestamptz, _to timestamptz) returns integer
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
as $$
declare
    _most constant integer := 10000;
    _schedule queues.schedule := internal.lock_schedule(_name, false);
    _now constant timestamptz := queues.clock();
    _plan internal.plan;
    _slot timestamptz;
    _slots bigint;
    _count integer := 0;
    _id bigint;
begin
    if _from is null or _to is null or not isfinite(_from) or not isfinite(_to) or _to < _from or _to > _now then
        raise exception using errcode = '22023', message = format('a backfill from %s to %s is not a time in the past', coalesce(_from::text, 'null'), coalesce(_to::text, 'null')),
            hint = 'Example: select queues.backfill_schedule(''nightly'', ''2030-01-01'', ''2030-01-08'');';
    end if;
    if _from < _to - interval '50 years' then
        raise exception using errcode = '54000', message = format('a backfill from %s to %s is over the limit of 50 years', _from, _to),
            hint = 'Backfill shorter times, one after the other.';
    end if;
    -- A backfill may go back to a time before the schedule.
    _plan := row(_schedule.cron, _schedule.every, _schedule.anchor, _schedule.zone, null, _schedule.ends_at, _schedule.excluded)::internal.plan;
    if _plan.every is not null and _from < _plan.anchor then
        _plan.anchor := _plan.anchor - _plan.every * ceil(extract(epoch from _plan.anchor - _from) / extract(epoch from _plan.every))::double precision;
    end if;
    _slots := internal.count_slots(_plan, _from - interval '1 microsecond', _to);
    if _slots > _most then
        raise exception using errcode = '54000', message = format('a backfill of %s slots is over the limit of %s', _slots, _most),
            hint = 'Backfill shorter times, one after the other.';
    end if;
    _slot := internal.next_slot(_plan, _from - interval '1 microsecond');
    while _slot <= _to loop
        if not exists (select 1 from queues.schedule_fire as f
                       where f.schedule_id = _schedule.schedule_id and f.first_slot = _slot and f.task_id is not null) then
            _id := internal.start_as_owner(_schedule, _slot, true, true, _now);
            insert into queues.schedule_fire (schedule_id, schedule_name, decision, first_slot, last_slot, decided_at, task_id, late)
            values (_schedule.schedule_id, _schedule.schedule_name, 'backfill', _slot, _slot, _now, _id, _now - _slot);
            _count := _count + 1;
        end if;
        _slot := internal.next_slot(_plan, _slot);
    end loop;
    perform internal.end_acting();
    perform internal.audit('backfill_schedule', _name, jsonb_build_object('from', _from, 'to', _to, 'slots', _count));
    return _count;
end
$$;
comment on function queues.backfill_schedule(text, timestamptz, timestamptz) is 'Fires the slots of a time in the past that were not fired.';
