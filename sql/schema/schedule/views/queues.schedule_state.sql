-- queues.schedule_state
-- Each schedule with its next and its last fire.  Delays are those of the last 100 fires.
create or replace view queues.schedule_state as
select s.schedule_name, s.expression, s.zone, internal.cron_words(s.cron, s.every, s.zone) as words, s.work, s.target, s.owner,
       case when s.paused_at is not null then 'paused' when d.refusals > 0 then 'refused' when d.waiting_slot is not null then 'queued'
            when d.next_slot is null then 'ended' else 'waiting' end as state,
       case when s.paused_at is null then d.next_slot end as next_fire, case when s.paused_at is null then nullif(d.fire_at, 'infinity') end as next_decision,
       l.first_slot as last_slot, l.decided_at as last_fired_at, l.decision as last_decision, l.task_id as last_task_id,
       internal.slot_outcome(l.task_id) as last_outcome, u.usual_delay, u.longest_delay,
       s.paused_at, s.paused_by, s.pause_reason, d.failures, d.waiting_slot, d.skip_reason, d.skip_first, d.skip_last, d.skip_slots,
       s.overlap, s.catch_up, s.catch_up_window, s.pause_after_failures, s.starts_at, s.ends_at, s.excluded, s.jitter, s.random_jitter,
       s.queue, s.priority, s.timeout, s.max_attempts, s.description, s.created_at, s.changed_at, s.schedule_id
from queues.schedule as s
join queues.schedule_due as d on d.schedule_id = s.schedule_id
left join lateral (select f.* from queues.schedule_fire as f where f.schedule_id = s.schedule_id and f.task_id is not null
                   order by f.first_slot desc limit 1) as l on true
left join lateral (select percentile_cont(0.5) within group (order by n.late) as usual_delay, max(n.late) as longest_delay
                   from (select f.late from queues.schedule_fire as f
                         where f.schedule_id = s.schedule_id and f.task_id is not null and f.decision <> 'backfill'
                         order by f.first_slot desc limit 100) as n) as u on true;
comment on view queues.schedule_state is 'Schedules with their next and last fires, without payloads.';
