-- Fact: the decision about one slot that was fired, or about slots in a row that were not fired for one reason.
create table queues.schedule_fire (
    fire_id        bigint generated always as identity,
    schedule_id    bigint not null,
    schedule_name  text not null,
    decision       text not null,
    first_slot     timestamptz not null,
    last_slot      timestamptz not null,
    slots          bigint not null default 1,
    decided_at     timestamptz not null,
    task_id        bigint,
    late           interval,
    detail         text,
    constraint schedule_fire_pkey primary key (fire_id)
);
-- A slot is fired once.  The view of states reads the newest fires of a schedule here.
create unique index schedule_fire_slot_idx on queues.schedule_fire (schedule_id, first_slot) where task_id is not null;
comment on table queues.schedule_fire is 'Decisions about slots: one row per fired slot, and one for slots in a row that were not fired for one reason.';
comment on column queues.schedule_fire.decision is
    'Fired: on_time, late, queued, by_hand, backfill. Not fired: missed, expired, overlap, paused, refused, changed, removed.';
comment on column queues.schedule_fire.slots is 'Number of slots from first_slot to last_slot.';
comment on column queues.schedule_fire.task_id is 'First task of the work; null: not fired.';
comment on column queues.schedule_fire.late is 'Time from the slot, jitter included, to the decision; null: not fired.';
comment on column queues.schedule_fire.detail is 'Error of a slot that was refused, or reason of a pause; null: none.';
