-- Recurring work: when, what, and with whose rights.  A definition changes when somebody changes it, and the audit records that.
-- The state that changes with each slot is in queues.schedule_due.
create table queues.schedule (
    schedule_id           bigint generated always as identity,
    schedule_name         text not null,
    owner                 text not null,
    expression            text not null,
    cron                  internal.cron,
    every                 interval,
    anchor                timestamptz not null,
    zone                  text not null,
    starts_at             timestamptz,
    ends_at               timestamptz,
    excluded              date[],
    jitter                interval,
    random_jitter         interval,
    work                  text not null,
    target                text,
    payload               jsonb not null,
    queue                 text,
    priority              bigint,
    timeout               interval,
    max_attempts          smallint,
    backoff               jsonb,
    overlap               text not null,
    catch_up              text not null,
    catch_up_window       interval not null,
    pause_after_failures  integer,
    description           text,
    created_at            timestamptz not null,
    changed_at            timestamptz not null,
    paused_at             timestamptz,
    paused_by             text,
    pause_reason          text,
    constraint schedule_pkey primary key (schedule_id),
    constraint schedule_name_key unique (schedule_name)
);
comment on table queues.schedule is 'Recurring work: when, what, and with whose rights.';
comment on column queues.schedule.owner is 'Role that made or last changed the schedule; its rights are asked again at each fire.';
comment on column queues.schedule.expression is 'As it was given: a cron expression, or every and an interval.';
comment on column queues.schedule.cron is 'The expression as masks; null: the schedule has an interval.';
comment on column queues.schedule.every is 'Real time between two slots; null: the schedule has a cron expression.';
comment on column queues.schedule.anchor is 'Time from which the slots of an interval are counted.';
comment on column queues.schedule.zone is 'IANA name of the time zone of the expression.';
comment on column queues.schedule.starts_at is 'No slot is earlier; null: slots begin when the schedule is made.';
comment on column queues.schedule.ends_at is 'No slot is later; null: no end.';
comment on column queues.schedule.excluded is 'Dates of the zone that have no slot; null: none.';
comment on column queues.schedule.jitter is 'Each fire of the schedule is late by the same part of this time; null: none.';
comment on column queues.schedule.random_jitter is 'Each fire is late by a random part of this time; null: none.';
comment on column queues.schedule.work is 'task, command or job.';
comment on column queues.schedule.target is 'Task type, or name of the command; null for a job.';
comment on column queues.schedule.payload is 'Payload of the work; for a job the columns of pgqueue.job_queue.';
comment on column queues.schedule.overlap is 'If work of an earlier slot is open: skip, queue_one, cancel_running or allow.';
comment on column queues.schedule.catch_up is 'Slots that were missed: skip, once or all.';
comment on column queues.schedule.catch_up_window is 'Slots that were missed longer ago are never fired.';
comment on column queues.schedule.pause_after_failures is 'Failures in a row after which the schedule is paused; null: never.';
comment on column queues.schedule.paused_at is 'Start of the pause; null: not paused.';
