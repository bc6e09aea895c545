-- Working set: one row per schedule, with the time of its next decision.  The row follows from the definition and the facts.
create table queues.schedule_due (
    schedule_id   bigint not null,
    fire_at       timestamptz not null,
    next_slot     timestamptz,
    decided_to    timestamptz not null,
    waiting_slot  timestamptz,
    open_tasks    bigint[],
    failures      integer not null default 0,
    refusals      integer not null default 0,
    skip_reason   text,
    skip_first    timestamptz,
    skip_last     timestamptz,
    skip_slots    bigint,
    skip_detail   text,
    constraint schedule_due_pkey primary key (schedule_id)
) with (
    autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.5
);
create index schedule_due_fire_idx on queues.schedule_due (fire_at);
comment on table queues.schedule_due is 'Working set: schedules with the time of their next decision.';
comment on column queues.schedule_due.fire_at is 'Time of the next decision; infinity: none, because of a pause or the end of the plan.';
comment on column queues.schedule_due.next_slot is 'Slot of the next decision; null: the plan has no further slot.';
comment on column queues.schedule_due.decided_to is 'Every slot up to this time has been decided.';
comment on column queues.schedule_due.waiting_slot is 'Slot that waits for the end of earlier work; null: none.';
comment on column queues.schedule_due.open_tasks is 'First tasks of fired slots whose work may be open; null: none.';
comment on column queues.schedule_due.failures is 'Fired slots in a row whose work failed or that were refused.';
comment on column queues.schedule_due.refusals is 'Slots in a row that were refused; they make the next decision wait.';
comment on column queues.schedule_due.skip_reason is 'Why the slots from skip_first to skip_last were not fired; null: the last slot was fired. This becomes a fact when a slot is fired or the reason changes.';
