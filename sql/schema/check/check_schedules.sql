-- internal.check_schedules()
-- Invariants of schedules: each has one working row, and every slot since its last change has exactly one account, that is a fact or
-- a place in the working row.  The newest 200 facts of each schedule are read.
-- The rules of a zone may change, and then its former slots are no longer slots of the plan.  The accounts of such a schedule are
-- counted only after the newest one that does not fit the rules of today.  Other plans never change, and each of their slots must fit.
-- Called by  queues.check_part
create or replace function internal.check_schedules() returns table (invariant text, sample text)
    language plpgsql stable
    set search_path = pg_catalog, pg_temp
    set jit = off
as $$
begin
    return query
    select 'schedule_has_its_working_row', format('schedule %s', coalesce(s.schedule_id, d.schedule_id))
    from queues.schedule as s full join queues.schedule_due as d on d.schedule_id = s.schedule_id
    where s.schedule_id is null or d.schedule_id is null or s.paused_at is not null and d.fire_at < 'infinity'
       or s.paused_at is null and d.next_slot is not null and d.fire_at = 'infinity'
    union all
    select 'fired_slot_has_its_task', format('fire %s', f.fire_id)
    from queues.schedule_fire as f left join queues.task as t on t.task_id = f.task_id
    where f.task_id is not null and t.task_id is null
      and not exists (select 1 from queues.pruned as p where f.task_id between p.from_task_id and p.to_task_id)
    union all
    (with found as (
        select s.schedule_id, f.first_slot, f.last_slot, f.slots, f.task_id is not null as is_fired
        from queues.schedule as s
        cross join lateral (select x.* from queues.schedule_fire as x
                            where x.schedule_id = s.schedule_id and x.first_slot > s.changed_at
                              and x.decision not in ('by_hand', 'backfill', 'error', 'changed')
                            order by x.first_slot desc limit 200) as f
        union all
        select s.schedule_id, d.skip_first, d.skip_last, d.skip_slots, false
        from queues.schedule as s join queues.schedule_due as d on d.schedule_id = s.schedule_id
        where d.skip_first > s.changed_at
        union all
        select s.schedule_id, d.waiting_slot, d.waiting_slot, 1, false
        from queues.schedule as s join queues.schedule_due as d on d.schedule_id = s.schedule_id
        where d.waiting_slot > s.changed_at
    ), fitting as (
        select f.*, internal.count_slots(row(s.cron, s.every, s.anchor, s.zone, s.starts_at, s.ends_at, s.excluded)::internal.plan,
                                         f.first_slot - interval '1 microsecond', f.first_slot) > 0 as fits,
               s.cron is not null and s.zone not in ('UTC', 'GMT', 'Etc/UTC') as may_change
        from found as f join queues.schedule as s on s.schedule_id = f.schedule_id
    ), account as (
        select f.* from (select x.*, max(x.first_slot) filter (where not x.fits and x.may_change) over (partition by x.schedule_id) as misfit
                         from fitting as x) as f
        where f.misfit is null or f.first_slot > f.misfit
    ), line as (
        select a.*, lag(a.last_slot) over (partition by a.schedule_id order by a.first_slot, a.last_slot) as before
        from account as a
    )
    select 'slot_is_in_the_plan', format('schedule %s: %s', a.schedule_id, a.first_slot) from account as a where not a.fits
    union all
    select case when l.first_slot <= l.before then 'slot_has_one_account' else 'no_slot_without_an_account' end,
           format('schedule %s: %s', l.schedule_id, l.first_slot)
    from line as l join queues.schedule as s on s.schedule_id = l.schedule_id
    cross join lateral (select row(s.cron, s.every, s.anchor, s.zone, s.starts_at, s.ends_at, s.excluded)::internal.plan as plan offset 0) as p
    where l.first_slot <= l.before
       or l.before is not null and internal.count_slots(p.plan, l.before, l.first_slot - interval '1 microsecond') > 0
       or not l.is_fired and internal.count_slots(p.plan, l.first_slot - interval '1 microsecond', l.last_slot) <> l.slots
    union all
    select 'no_slot_without_an_account', format('schedule %s: before %s', s.schedule_id, d.decided_to)
    from (select l.schedule_id, max(l.last_slot) as last_slot from line as l group by l.schedule_id) as n
    join queues.schedule as s on s.schedule_id = n.schedule_id
    join queues.schedule_due as d on d.schedule_id = n.schedule_id
    where internal.count_slots(row(s.cron, s.every, s.anchor, s.zone, s.starts_at, s.ends_at, s.excluded)::internal.plan, n.last_slot, d.decided_to) > 0);
end
$$;
comment on function internal.check_schedules() is 'Violations of schedules.';
