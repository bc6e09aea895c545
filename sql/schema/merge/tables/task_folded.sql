-- Fact: a run took what had been merged into its task, and this payload came of it.
create table queues.task_folded (
    task_id    bigint not null,
    lease_no   integer not null,
    folded_at  timestamptz not null,
    merges     integer not null,
    payload    jsonb not null,
    constraint task_folded_pkey primary key (task_id, lease_no)
);
comment on table queues.task_folded is 'Payloads that runs were given after merges were folded in.';
comment on column queues.task_folded.merges is 'How many merges were folded in by this lease.';
comment on column queues.task_folded.payload is 'What the run was given.';
