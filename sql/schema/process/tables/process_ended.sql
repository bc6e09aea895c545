-- Fact: a process has no open run any more, and the reason.  A process that was opened again and cancelled before it ran has two
-- ends after the same run.
create table queues.process_ended (
    process_id  bigint not null,
    run_no      integer not null,
    ended_at    timestamptz not null,
    reason      text not null,
    message     text,
    constraint process_ended_pkey primary key (process_id, run_no, ended_at)
);
-- Processes that ended early (queues.metrics).
create index process_ended_early_idx on queues.process_ended (ended_at) where reason in ('supervisor_failed', 'run_limit', 'quarantined');
comment on table queues.process_ended is 'Ends of processes. A later enqueue opens the process again.';
comment on column queues.process_ended.run_no is 'Last run before the end; 0: the process never ran.';
comment on column queues.process_ended.reason is
    'Status of the last run, or supervisor_failed, run_limit, cancelled, quarantined ...';
