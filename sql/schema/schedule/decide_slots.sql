-- internal.stable_jitter(_schedule), internal.plan_next(_schedule, _due, _now, _next), internal.decide_slots(_schedule_id, _now, _reason)
-- Decides about all slots of a schedule that are due, and moves its working row, which the caller has locked.  _reason: the word
-- for slots that were missed.
-- Slots are counted from the last one that was decided, by the rules that the zone has now.  The stored time only says when to
-- look.  So neither a change of the clock nor one of the zone's rules loses a slot or repeats one.
create or replace function internal.stable_jitter(_schedule queues.schedule) returns interval
    language plpgsql immutable
    set search_path = pg_catalog, pg_temp
as $$
begin
    if _schedule.jitter is null then
        return interval '0';
    end if;
    return _schedule.jitter * ((hashint8(_schedule.schedule_id)::bigint + 2147483648) / 4294967296.0);
end
$$;
comment on function internal.stable_jitter(queues.schedule) is 'How late every fire of a schedule is.';

create or replace function internal.plan_next(_schedule queues.schedule, _due queues.schedule_due, _now timestamptz,
        _next timestamptz default null)
    returns queues.schedule_due
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
begin
    _due.next_slot := coalesce(_next, internal.next_slot(row(_schedule.cron, _schedule.every, _schedule.anchor, _schedule.zone, _schedule.starts_at,
                                             _schedule.ends_at, _schedule.excluded)::internal.plan, _due.decided_to));
    _due.fire_at := coalesce(_due.next_slot + internal.stable_jitter(_schedule) + coalesce(_schedule.random_jitter * random(), interval '0'),
                             'infinity');
    if _schedule.paused_at is not null then
        _due.fire_at := 'infinity';
    elsif _due.refusals > 0 then
        -- One schedule that fails is looked at less and less often: 1, 2, 4 ... seconds, at most an hour.
        _due.fire_at := greatest(_due.fire_at, _now + least(interval '1 second' * power(2, least(_due.refusals - 1, 20)), interval '1 hour'));
    elsif _due.waiting_slot is not null then
        -- Work that has been open for long is looked at less often: after a twentieth of that time.
        _due.fire_at := least(_due.fire_at, _now + least(greatest((_now - _due.waiting_slot) / 20, interval '1 second'), interval '1 minute'));
    end if;
    return _due;
end
$$;
comment on function internal.plan_next(queues.schedule, queues.schedule_due, timestamptz, timestamptz) is 'Sets the time of the next decision.';

create or replace function internal.decide_slots(_schedule_id bigint, _now timestamptz, _reason text default 'missed') returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off
as $$
declare
    _grace interval := interval '1 minute'; -- a slot that is later than this is late
    _batch constant integer := 100;                  -- slots of one schedule that one decision fires
    _schedule queues.schedule;
    _due queues.schedule_due;
    _plan internal.plan;
    _jitter interval;
    _to timestamptz;
    _first timestamptz;
    _newest timestamptz;
    _slot timestamptz;
    _before timestamptz;
    _next timestamptz; -- the slot after the only one that is due
    _fired record;
    _is_more boolean := false;
    _random interval := interval '0'; -- random jitter that was planned for the next slot
begin
    select s.* into _schedule from queues.schedule as s where s.schedule_id = _schedule_id;
    select d.* into _due from queues.schedule_due as d where d.schedule_id = _schedule_id;
    _plan := row(_schedule.cron, _schedule.every, _schedule.anchor, _schedule.zone, _schedule.starts_at, _schedule.ends_at,
                 _schedule.excluded)::internal.plan;
    _jitter := internal.stable_jitter(_schedule);
    _to := _now - _jitter; -- slots up to here are due
    if _schedule.random_jitter is not null then
        _grace := _grace + _schedule.random_jitter;
        if _due.fire_at between _due.next_slot + _jitter and _due.next_slot + _jitter + _schedule.random_jitter then
            _random := _due.fire_at - _due.next_slot - _jitter;
        end if;
    end if;
    if _due.open_tasks is not null then
        _due := internal.settle_open(_due);
    end if;
    if _schedule.paused_at is null and _due.failures >= _schedule.pause_after_failures then
        update queues.schedule as s
        set paused_at = _now, paused_by = session_user, pause_reason = format('%s failures in a row', _due.failures)
        where s.schedule_id = _schedule_id returning s.* into _schedule;
        _due := internal.record_skips(_schedule, _due, _now);
        perform internal.audit('pause_schedule', _schedule.schedule_name, jsonb_build_object('reason', _schedule.pause_reason));
    end if;

    if _schedule.paused_at is null and _due.waiting_slot is not null and _due.open_tasks is null then
        _fired := internal.fire_slot(_schedule, _due, _due.waiting_slot, 'queued', _now - _due.waiting_slot - _jitter, _now);
        _due := _fired.due;
        if not _fired.is_kept then
            _due.waiting_slot := null;
        end if;
    end if;

    _first := case when _schedule.paused_at is null then internal.next_slot(_plan, _due.decided_to) end;
    if _first <= _to then
        _next := internal.next_slot(_plan, _first);
        if _next <= _to then
            _newest := internal.last_slot(_plan, _first, _to);
            _next := null;
        else
            _newest := _first; -- the usual case: one slot is due
        end if;
        -- Slots that were missed too long ago, whatever the policy.
        if _first < _now - _schedule.catch_up_window then
            _slot := internal.last_slot(_plan, _due.decided_to, least(_to, _now - _schedule.catch_up_window));
            _due := internal.skip_slots(_schedule, _due, _first, _slot, internal.count_slots(_plan, _due.decided_to, _slot),
                                        case when _reason = 'missed' then 'expired' else _reason end, null, _now);
            _due.decided_to := _slot;
            _first := internal.next_slot(_plan, _slot);
        end if;
        if _schedule.catch_up = 'all' then
            _slot := _first;
            for _i in 1 .. _batch loop
                exit when _slot is null or _slot > _to;
                -- Missed slots are all fired; only the newest one is subject to the rule of overlaps, if it is on time.
                exit when _slot = _newest and _to - _slot <= _grace;
                _fired := internal.fire_slot(_schedule, _due, _slot, 'late', _to - _slot, _now);
                _due := _fired.due;
                exit when _fired.is_kept;
                _due.decided_to := _slot;
                _slot := internal.next_slot(_plan, _slot);
                exit when _due.refusals > 0;
            end loop;
            _is_more := _slot < _newest;
            _first := case when _slot = _newest and _to - _slot <= _grace and _due.refusals = 0 then _slot end;
        elsif _first < _newest or _schedule.catch_up = 'skip' and _to - _newest > _grace then
            -- All but the newest are passed over; with skip, the newest, too, if it is late.
            if _schedule.catch_up = 'skip' and _to - _newest > _grace then
                _slot := _newest;
            else
                _before := _newest - interval '1 microsecond';
                _slot := internal.last_slot(_plan, _due.decided_to, _before);
            end if;
            _due := internal.skip_slots(_schedule, _due, _first, _slot, internal.count_slots(_plan, _due.decided_to, _slot), _reason, null, _now);
            _due.decided_to := _slot;
            _first := case when _slot < _newest then _newest end;
        end if;
        -- One slot is left to decide about: the newest.
        if _first <= _to then
            if _due.open_tasks is not null and _schedule.overlap = 'cancel_running' then
                perform internal.cancel_open(_schedule, _due.open_tasks);
                _due := internal.settle_open(_due);
            end if;
            if _due.open_tasks is null and _due.waiting_slot is null or _schedule.overlap = 'allow' then
                _fired := internal.fire_slot(_schedule, _due, _first, case when _to - _first > _grace then 'late' else 'on_time' end,
                                             case when _first = _due.next_slot then _to - _first - _random else _to - _first end, _now);
                _due := _fired.due;
                if not _fired.is_kept then
                    _due.decided_to := _first;
                end if;
            else
                if _schedule.overlap = 'cancel_running' and _due.waiting_slot is not null then
                    _due := internal.skip_slots(_schedule, _due, _due.waiting_slot, _due.waiting_slot, 1, 'overlap', null, _now);
                    _due.waiting_slot := null;
                end if;
                if _schedule.overlap in ('queue_one', 'cancel_running') and _due.waiting_slot is null then
                    _due.waiting_slot := _first;
                    if _schedule.overlap = 'queue_one' then
                        _due := internal.record_skips(_schedule, _due, _now); -- slots after this one are another row
                    end if;
                else
                    _due := internal.skip_slots(_schedule, _due, _first, _first, 1, 'overlap', null, _now);
                end if;
                _due.decided_to := _first;
            end if;
        end if;
    end if;
    _due := internal.plan_next(_schedule, _due, _now, case when _due.decided_to = _newest then _next end);
    if _is_more and _due.refusals = 0 then
        _due.fire_at := least(_due.fire_at, _now);
    end if;
    update queues.schedule_due as d
    set fire_at = _due.fire_at, next_slot = _due.next_slot, decided_to = _due.decided_to, waiting_slot = _due.waiting_slot,
        open_tasks = _due.open_tasks, failures = _due.failures, refusals = _due.refusals, skip_reason = _due.skip_reason,
        skip_first = _due.skip_first, skip_last = _due.skip_last, skip_slots = _due.skip_slots, skip_detail = _due.skip_detail
    where d.schedule_id = _schedule_id;
end
$$;
comment on function internal.decide_slots(bigint, timestamptz, text) is 'Decides about the slots of a schedule that are due.';
