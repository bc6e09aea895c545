-- queues.fire_due(_limit, _budget), internal.next_fire_at()
-- Decides about schedules that are due, at most _limit of them, and returns their number.  Every worker calls it, whatever queues
-- it serves.  A schedule that another session decides about is passed over.  One that raises is recorded and looked at later; the
-- others go on.  _budget: after this time no further schedule is begun;
-- null: no limit.  A worker makes this call on the connection that renews its leases.
create or replace function queues.fire_due(_limit integer default 100, _budget interval default null) returns integer
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off set enable_bitmapscan = off set jit = off set plan_cache_mode = force_generic_plan
    set lock_timeout = '200ms'
as $$
declare
    _now constant timestamptz := queues.clock();
    _end constant timestamptz := clock_timestamp() + _budget;
    _id bigint;
    _count integer := 0;
begin
    if _limit is null or _limit < 1 then
        raise exception using errcode = '22023', message = 'limit must be positive';
    end if;
    for _id in
        select d.schedule_id from queues.schedule_due as d where d.fire_at <= _now
        order by d.fire_at limit _limit for update skip locked
    loop
        perform internal.decide_alone(_id, _now);
        _count := _count + 1;
        exit when clock_timestamp() > _end;
    end loop;
    perform internal.end_acting();
    -- failpoint: schedule.fired
    return _count;
end
$$;
comment on function queues.fire_due(integer, interval) is 'Fires the schedules that are due; returns their number.';

create or replace function internal.decide_alone(_schedule_id bigint, _now timestamptz, _reason text default 'missed') returns void
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _error text;
    _state text;
begin
    perform internal.decide_slots(_schedule_id, _now, _reason);
exception when assert_failure or others then
    get stacked diagnostics _error = message_text, _state = returned_sqlstate;
    if not internal.is_passing(_state) then
        insert into queues.schedule_fire (schedule_id, schedule_name, decision, first_slot, last_slot, slots, decided_at, detail)
        select s.schedule_id, s.schedule_name, 'error', coalesce(d.next_slot, _now), coalesce(d.next_slot, _now), 0, _now,
               left(format('%s: %s', _state, _error), 1024)
        from queues.schedule as s join queues.schedule_due as d on d.schedule_id = s.schedule_id where s.schedule_id = _schedule_id;
    end if;
    update queues.schedule_due as d
    set refusals = d.refusals + 1,
        fire_at = _now + least(interval '1 second' * power(2, least(d.refusals, 20)), interval '1 hour')
    where d.schedule_id = _schedule_id;
end
$$;
comment on function internal.decide_alone(bigint, timestamptz, text) is 'Decides about one schedule; an error is recorded and makes it wait.';

create or replace function internal.next_fire_at() returns timestamptz
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    set enable_seqscan = off
as $$
begin
    return (select d.fire_at from queues.schedule_due as d where d.fire_at < 'infinity' order by d.fire_at limit 1);
end
$$;
comment on function internal.next_fire_at() is 'Time of the next decision about a schedule; null: none.';
