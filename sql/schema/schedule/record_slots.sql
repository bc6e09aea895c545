-- internal.record_skips(_schedule, _due, _now), internal.skip_slots(...), internal.fire_slot(...)
-- Decisions about slots, as facts.  They change the working row in memory; the caller stores it.
-- Slots in a row that are not fired for one reason are counted in the working row, and become one fact when a slot is fired, when
-- the reason changes, or when somebody changes the schedule.
create or replace function internal.record_skips(_schedule queues.schedule, _due queues.schedule_due, _now timestamptz)
    returns queues.schedule_due
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _due.skip_reason is not null then
        insert into queues.schedule_fire (schedule_id, schedule_name, decision, first_slot, last_slot, slots, decided_at, detail)
        values (_schedule.schedule_id, _schedule.schedule_name, _due.skip_reason, _due.skip_first, _due.skip_last, _due.skip_slots, _now,
                _due.skip_detail);
    end if;
    _due.skip_reason := null;
    _due.skip_first := null;
    _due.skip_last := null;
    _due.skip_slots := null;
    _due.skip_detail := null;
    return _due;
end
$$;
comment on function internal.record_skips(queues.schedule, queues.schedule_due, timestamptz) is 'Records the slots that were not fired.';

create or replace function internal.skip_slots(_schedule queues.schedule, _due queues.schedule_due, _first timestamptz, _last timestamptz,
        _slots bigint, _reason text, _detail text, _now timestamptz) returns queues.schedule_due
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _slots < 1 then
        return _due;
    end if;
    if _due.skip_reason is distinct from _reason then
        _due := internal.record_skips(_schedule, _due, _now);
        _due.skip_reason := _reason;
        _due.skip_slots := 0;
        _due.skip_first := _first;
    end if;
    _due.skip_first := least(_due.skip_first, _first);
    _due.skip_last := greatest(_due.skip_last, _last);
    _due.skip_slots := _due.skip_slots + _slots;
    _due.skip_detail := left(_detail, 1024);
    return _due;
end
$$;
comment on function internal.skip_slots(queues.schedule, queues.schedule_due, timestamptz, timestamptz, bigint, text, text, timestamptz) is
    'Counts slots that are not fired.';

-- An error ends nothing but this slot.  An error that may pass keeps the slot for another decision: is_kept is then true.
create or replace function internal.fire_slot(_schedule queues.schedule, inout due queues.schedule_due, _slot timestamptz, _decision text,
        _late interval, _now timestamptz, out task_id bigint, out is_kept boolean)
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _error text;
    _state text;
begin
    is_kept := false;
    if exists (select 1 from queues.schedule_fire as f
               where f.schedule_id = _schedule.schedule_id and f.first_slot = _slot and f.task_id is not null) then
        return; -- the plan was changed and changed back, or a backfill was quicker
    end if;
    begin
        task_id := internal.start_as_owner(_schedule, _slot, _decision = 'late', _decision = 'backfill', _now);
    exception when assert_failure or others then
        get stacked diagnostics _error = message_text, _state = returned_sqlstate;
        if internal.is_passing(_state) or _state ~ '^(53|57|58)' then
            is_kept := true;
            due.refusals := due.refusals + 1;
            return;
        end if;
    end;
    if task_id is null then
        due := internal.skip_slots(_schedule, due, _slot, _slot, 1, 'refused', format('%s: %s', _state, _error), _now);
        due.refusals := due.refusals + 1;
        due.failures := due.failures + 1;
        return;
    end if;
    if due.skip_last < _slot then
        due := internal.record_skips(_schedule, due, _now);
    end if;
    insert into queues.schedule_fire (schedule_id, schedule_name, decision, first_slot, last_slot, decided_at, task_id, late)
    values (_schedule.schedule_id, _schedule.schedule_name, _decision, _slot, _slot, _now, task_id, _late);
    due.refusals := 0;
    if _decision <> 'backfill' and (_schedule.overlap <> 'allow' or _schedule.pause_after_failures is not null) then
        due.open_tasks := (task_id || due.open_tasks)[:100]; -- newest first; older ones are not followed
    end if;
end
$$;
comment on function internal.fire_slot(queues.schedule, queues.schedule_due, timestamptz, text, interval, timestamptz) is
    'Fires one slot, or records why it was refused.';
