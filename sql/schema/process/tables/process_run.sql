-- Fact: one run of a supervisor, with its facts and its decision.
create table queues.process_run (
    process_id   bigint not null,
    run_no       integer not null,
    task_id      bigint not null,
    lease_no     integer,
    ran_at       timestamptz not null,
    facts        jsonb,
    status       text,
    failed       boolean not null default false,
    enqueued     integer not null default 0,
    next_run_at  timestamptz,
    quiet_runs   integer not null default 0,
    idle_runs    integer not null default 0,
    failures     integer not null default 0,
    constraint process_run_pkey primary key (process_id, run_no)
);
create index process_run_task_idx on queues.process_run (task_id);
comment on table queues.process_run is 'Runs of supervisors, with their facts and decisions.';
comment on column queues.process_run.facts is 'Facts that the run saw.';
comment on column queues.process_run.failed is 'True: the run raised or timed out, and its work was rolled back.';
comment on column queues.process_run.enqueued is 'Tasks that the run enqueued, without its own next run.';
comment on column queues.process_run.quiet_runs is 'Runs in a row that saw nothing new and enqueued nothing.';
comment on column queues.process_run.idle_runs is 'Quiet runs in a row while nothing else of the process was open.';
comment on column queues.process_run.failures is 'Failed runs in a row, this one included.';
