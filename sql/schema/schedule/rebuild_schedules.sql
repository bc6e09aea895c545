-- internal.rebuild_schedules()
-- Makes working rows of schedules that have none, and removes those without a schedule; returns their number.  A new row starts from
-- the last fact since the schedule was changed.
create or replace function internal.rebuild_schedules() returns bigint
    language plpgsql volatile
    set search_path = pg_catalog, pg_temp
as $$
declare
    _now constant timestamptz := queues.clock();
    _schedule queues.schedule;
    _due queues.schedule_due;
    _changed bigint;
begin
    delete from queues.schedule_due as d where not exists (select 1 from queues.schedule as s where s.schedule_id = d.schedule_id);
    get diagnostics _changed = row_count;
    for _schedule in
        select s.* from queues.schedule as s
        where not exists (select 1 from queues.schedule_due as d where d.schedule_id = s.schedule_id)
    loop
        _due.schedule_id := _schedule.schedule_id;
        _due.refusals := 0;
        select greatest(_schedule.changed_at, max(f.last_slot)) into _due.decided_to from queues.schedule_fire as f
        where f.schedule_id = _schedule.schedule_id and f.decision not in ('by_hand', 'backfill', 'error');
        select array_agg(f.task_id order by f.fire_id desc) into _due.open_tasks
        from (select x.fire_id, x.task_id from queues.schedule_fire as x
              where x.schedule_id = _schedule.schedule_id and x.task_id is not null and x.decision <> 'backfill'
              order by x.first_slot desc limit 100) as f
        where internal.slot_outcome(f.task_id) = 'open' and _schedule.overlap <> 'allow';
        _due := internal.plan_next(_schedule, _due, _now);
        insert into queues.schedule_due (schedule_id, fire_at, next_slot, decided_to, open_tasks)
        values (_due.schedule_id, _due.fire_at, _due.next_slot, _due.decided_to, _due.open_tasks);
        _changed := _changed + 1;
    end loop;
    return _changed;
end
$$;
comment on function internal.rebuild_schedules() is 'Repairs the working rows of schedules.';
