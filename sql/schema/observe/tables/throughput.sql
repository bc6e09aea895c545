-- Facts of a minute, added up from leases and completions by internal.roll_up, by queue and type.  A minute is written once, when
-- no transaction that could add to it is open.
create table queues.throughput (
    minute           timestamptz not null,
    queue            text not null,
    task_type        text not null,
    started          bigint not null,
    succeeded        bigint not null,
    failed           bigint not null,
    other            bigint not null,
    waits            bigint not null,
    wait_seconds     double precision not null,
    wait_seconds_max double precision not null,
    runs             bigint not null,
    run_seconds      double precision not null,
    run_seconds_max  double precision not null,
    constraint throughput_pkey primary key (minute, queue, task_type)
);
comment on table queues.throughput is 'Leases, completions, waits and runs of each minute, by queue and type.';
comment on column queues.throughput.minute is 'Start of the minute.';
comment on column queues.throughput.started is 'Leases that began in this minute.';
comment on column queues.throughput.succeeded is 'Completions with outcome succeeded or non_success.';
comment on column queues.throughput.failed is 'Completions with outcome failed, quarantined or in_doubt.';
comment on column queues.throughput.other is 'Completions with outcome cancelled or superseded.';
comment on column queues.throughput.waits is 'First leases: only these have a wait.';
comment on column queues.throughput.wait_seconds is 'Sum of the waits, from the scheduled time to the first lease.';
comment on column queues.throughput.wait_seconds_max is 'Longest wait.';
comment on column queues.throughput.runs is 'Completions of tasks that ran.';
comment on column queues.throughput.run_seconds is 'Sum of the times from the start of the last run to the completion.';
comment on column queues.throughput.run_seconds_max is 'Longest of these times.';
