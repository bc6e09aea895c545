-- Fact: an act on many things was prepared.  A null filter does not filter.
create table queues.bulk_act (
    act_id      bigint generated always as identity,
    kind        text not null,
    outcome     text,
    type        text,
    queue       text,
    state       text,
    since       timestamptz,
    until       timestamptz,
    error_like  text,
    url         text,
    is_all      boolean not null default false,
    by_ids      boolean not null default false,
    reason      text,
    made_at     timestamptz not null,
    made_by     text not null,
    constraint bulk_act_pkey primary key (act_id),
    constraint kind_is_known check (kind in ('task_retry', 'task_cancel', 'process_revive', 'job_retry', 'job_cancel'))
);
comment on table queues.bulk_act is 'Acts on many tasks, processes or jobs, with the filter of each.';
comment on column queues.bulk_act.kind is 'task_retry, task_cancel, process_revive, job_retry or job_cancel.';
comment on column queues.bulk_act.outcome is 'Outcome of a task, reason of the end of a process, status of a job.';
comment on column queues.bulk_act.type is 'Task type, supervisor, or type of a job.';
comment on column queues.bulk_act.state is 'State of an open task, or status of an open job.';
comment on column queues.bulk_act.since is 'Ended at this time or later; of open things: enqueued.';
comment on column queues.bulk_act.until is 'Ended before this time; of open things: enqueued.';
comment on column queues.bulk_act.error_like is 'Pattern of LIKE for the last error, the message of the end, or the answer.';
comment on column queues.bulk_act.url is 'Beginning of the URL of a job.';
comment on column queues.bulk_act.is_all is 'True: no filter was meant.';
comment on column queues.bulk_act.by_ids is 'True: the ids were given, and nothing was searched.';
comment on column queues.bulk_act.reason is 'Reason of a cancel.';
comment on column queues.bulk_act.made_by is 'Login that made the preview.';
